import { bedrockModelArns } from '../bedrock-model-arns.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Models on Bedrock that applications may use; none where the deployment names none. */
export const grantChatModels: GrantMaker = ({ access }, { config, stack }) => {
  if (!access.chatModels || config.chatModels.length === 0) return [];
  const arns = [...new Set(config.chatModels.flatMap((model) => bedrockModelArns(model, stack)))];
  return [
    {
      statements: [allow(['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'], arns)],
      wildcards: arns
        .filter((arn) => arn.includes(':*:'))
        .map((arn) => ({
          resource: arn.replace(/^arn:[^:]*:/, 'arn:<AWS::Partition>:'),
          reason: 'An inference profile chooses the region; the model is one.',
        })),
    },
  ];
};
