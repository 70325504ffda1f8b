import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import type { Config } from '../../lib/config.ts';
import type { Facts } from './findings.ts';

/** Name of the stack that `cdk bootstrap` makes, with any qualifier. */
const BOOTSTRAP_STACK = 'CDKToolkit';
/** Output of the stack of operations with the options that were given. */
export const OPTIONS_OUTPUT = 'Options';

/** Reads the facts, with the credentials and the region of the command line. */
export async function readFacts(config: Config): Promise<Facts> {
  const cloudFormation = new CloudFormationClient({});
  const [region, bootstrapStack, operations, settings, mail, refusedModels] = await Promise.all([
    cloudFormation.config.region(),
    stackOutputs(cloudFormation, BOOTSTRAP_STACK),
    stackOutputs(cloudFormation, `tripod-${config.stage}-operations`),
    new LambdaClient({}).send(new GetAccountSettingsCommand({})),
    mailOf(config),
    refusedModelsOf(config),
  ]);
  const options = operations?.get(OPTIONS_OUTPUT);
  return {
    region,
    isBootstrapped: bootstrapStack !== null,
    concurrency: settings.AccountLimit?.ConcurrentExecutions ?? 0,
    mail,
    refusedModels,
    deployed: operations === null ? 'none' : options === undefined ? 'unknown' : JSON.parse(options),
  };
}

/** Null where there is no such stack. */
async function stackOutputs(client: CloudFormationClient, StackName: string): Promise<Map<string, string> | null> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return new Map((Stacks[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return null;
    throw error;
  }
}

async function mailOf({ mailIdentity }: Config): Promise<Facts['mail']> {
  if (mailIdentity === undefined) return null;
  const client = new SESv2Client({});
  const [account, identity] = await Promise.all([
    client.send(new GetAccountCommand({})),
    client.send(new GetEmailIdentityCommand({ EmailIdentity: mailIdentity })).catch((error: Error) => {
      if (error.name === 'NotFoundException') return null;
      throw error;
    }),
  ]);
  return {
    isVerified: identity?.VerifiedForSendingStatus === true,
    reachesEverybody: account.ProductionAccessEnabled === true,
  };
}

/** Asks each model for one token: there is no other test of access. */
async function refusedModelsOf({ chatModels, bedrockModel }: Config): Promise<Readonly<Record<string, string>>> {
  const models = [...chatModels, ...(bedrockModel === undefined ? [] : [bedrockModel])];
  const client = new BedrockRuntimeClient({});
  const refused = await Promise.all(
    models.map(async (modelId): Promise<(readonly [string, string])[]> => {
      const question = { modelId, messages: [{ role: 'user' as const, content: [{ text: 'Hi' }] }] };
      try {
        await client.send(new ConverseCommand({ ...question, inferenceConfig: { maxTokens: 1 } }));
        return [];
      } catch (error) {
        return [[modelId, (error as Error).message]];
      }
    }),
  );
  return Object.fromEntries(refused.flat());
}
