import { OUTBOX_PARTITION } from '../../functions/adapters/dynamodb/keys.ts';
import { bedrockModelArns } from '../bedrock-model-arns.ts';
import { allow, allowTable, type GrantMaker, ofPartitions } from './grant.ts';

/** The budgets that workspaces set for their keys and applications, the counters of their tokens, and the mails about them. */
export const grantTokenBudgets: GrantMaker = (sources) => [
  allowTable('accounts', ['GetItem'], sources),
  allowTable('accounts', ['PutItem'], sources, ofPartitions(OUTBOX_PARTITION)),
  allowTable('limits', ['GetItem', 'UpdateItem'], sources),
];

/** Models on Bedrock that applications may use; none where the deployment names none. */
export const grantChatModels: GrantMaker = ({ config, stack }) => {
  if (config.chatModels.length === 0) return [];
  const arns = [...new Set(config.chatModels.flatMap((model) => bedrockModelArns(model, stack)))];
  return [
    {
      statements: [allow(['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'], arns)],
      environment: {
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
