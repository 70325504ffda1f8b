import { tables } from '../../functions/shared/resources.ts';
import { bedrockModelArns } from '../bedrock-model-arns.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Models on Bedrock that applications may use; none where the deployment names none. */
export const grantChatModels: GrantMaker = ({ access }, { config, stack, data }) => {
  if (!access.chatModels || config.chatModels.length === 0) return [];
  const arns = [...new Set(config.chatModels.flatMap((model) => bedrockModelArns(model, stack)))];
  return [
    {
      statements: [
        allow(['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'], arns),
        // The daily budget of their tokens.
        allow(['dynamodb:GetItem', 'dynamodb:UpdateItem'], [data.tables.limits.tableArn]),
      ],
      environment: {
        [tables.limits.environment]: data.tables.limits.tableName,
        CHAT_TOKENS_PER_WORKSPACE: String(config.chatTokensPerDayAndWorkspace),
        CHAT_TOKENS_IN_ALL: String(config.chatTokensPerDayInAll),
      },
      wildcards: arns
        .filter((arn) => arn.includes(':*:'))
        .map((arn) => ({
          resource: arn.replace(/^arn:[^:]*:/, 'arn:<AWS::Partition>:'),
          reason: 'An inference profile chooses the region; the model is one.',
        })),
    },
  ];
};
