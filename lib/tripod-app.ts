import { App, type AppProps, type IReusableStackSynthesizer, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Service } from '../functions/shared/function-id.ts';
import type { Route } from '../functions/shared/http/route.ts';
import { givenOptions, readConfig } from './config.ts';
import { optionsOf, requireKnownOptions } from './options.ts';
import { StackSynthesizer } from './stack-synthesizer.ts';
import { AccountsStack } from './stacks/accounts-stack.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { ChannelsStack } from './stacks/channels-stack.ts';
import { ChatStack } from './stacks/chat-stack.ts';
import { ConsoleStack } from './stacks/console-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { ExtractionStack } from './stacks/extraction-stack.ts';
import { KnowledgeStack } from './stacks/knowledge-stack.ts';
import { McpStack } from './stacks/mcp-stack.ts';
import { OperationsStack } from './stacks/operations-stack.ts';
import { RoutesStack } from './stacks/routes-stack.ts';
import { SandboxStack } from './stacks/sandbox-stack.ts';
import type { ServiceStack, ServiceStackProps } from './stacks/service-stack.ts';
import { WorkflowsStack } from './stacks/workflows-stack.ts';

/** Resources that the CDK can tag, and CloudFormation not in every region. */
const WITHOUT_TAGS = [
  'AWS::ApplicationAutoScaling::ScalableTarget',
  'AWS::CloudWatch::Dashboard',
  'AWS::ElasticLoadBalancingV2::Listener',
];

export interface TripodAppProps extends AppProps {
  readonly routes: readonly Route[];
  /** Folder with the bundle of every route's handler. */
  readonly functionAssets: string;
  /** Folder of the built console; needed by the option `console`. */
  readonly consoleAssets?: string;
  readonly version: string;
  /** Region that the deployment goes to, as far as the command line knows it: only to warn. */
  readonly targetRegion?: string;
  /** Folder with a file of options for each stage, `<stage>.json`; the context overrides them. */
  readonly optionsFolder?: string;
  /** False leaves out the checks of cdk-nag and of the templates' form, which take most of the time of a synthesis. */
  readonly isChecked?: boolean;
}

export interface TripodApp {
  readonly app: App;
  readonly data: DataStack;
  readonly operations: OperationsStack;
  readonly services: readonly ServiceStack[];
  readonly api: ApiStack;
  /** Null where the option `console` is off. */
  readonly console: ConsoleStack | null;
}

/**
 * The whole deployment, in the order in which it is deployed: data that stays, what the operator sees, one stack a service,
 * the API before them. Names carry the stage, so that several stages can be in one account.
 */
export function tripodApp({
  routes,
  functionAssets,
  consoleAssets,
  version,
  targetRegion,
  optionsFolder,
  isChecked = true,
  ...props
}: TripodAppProps): TripodApp {
  const app = new App({
    ...props,
    builtinCloudFormationValidation: isChecked,
    // The CDK's own types disagree under exactOptionalPropertyTypes.
    defaultStackSynthesizer: new StackSynthesizer() as IReusableStackSynthesizer,
  });
  const context = (key: string): unknown => app.node.tryGetContext(key);
  requireKnownOptions(Object.keys(app.node.getAllContext()), 'The command line (-c) or cdk.json');
  const file = optionsFolder === undefined ? {} : optionsOf(optionsFolder, String(context('stage') ?? 'dev'));
  const config = readConfig(context, file);
  const named = (part: string) => `tripod-${config.stage}-${part}`;
  const data = new DataStack(app, named('data'), { config, terminationProtection: config.keepData });
  const serviceNames = [...new Set(routes.map(({ id }) => id.split('.')[0] as Service))];
  const operations = new OperationsStack(app, named('operations'), {
    ...{ config, data, services: serviceNames },
    options: givenOptions(context, file),
  });
  const { alarmTopic } = operations;

  const services = serviceNames.map((service): ServiceStack => {
    const ofService = routes.filter(({ id }) => id.startsWith(`${service}.`));
    const shared: ServiceStackProps = { config, routes: ofService, functionAssets, version, data, alarmTopic };
    switch (service) {
      case 'accounts':
        return new AccountsStack(app, named(service), shared);
      case 'chat':
        return new ChatStack(app, named(service), shared);
      case 'knowledge':
        return new KnowledgeStack(app, named(service), shared);
      case 'extraction':
        return new ExtractionStack(app, named(service), { ...shared, targetRegion });
      case 'channels':
        return new ChannelsStack(app, named(service), shared);
      case 'mcp':
        return new McpStack(app, named(service), shared);
      case 'sandbox':
        return new SandboxStack(app, named(service), shared);
      case 'workflows':
        return new WorkflowsStack(app, named(service), shared);
      default:
        return new RoutesStack(app, named(service), service, shared);
    }
  });
  const api = new ApiStack(app, named('api'), { config, routes, version, data, alarmTopic });
  // It knows the functions by name only.
  for (const service of services) api.addStackDependency(service);
  if (config.console && consoleAssets === undefined) throw new Error('The console was not built.');
  const console =
    config.console && consoleAssets !== undefined
      ? new ConsoleStack(app, named('console'), { config, data, api, assets: consoleAssets })
      : null;

  const excludeResourceTypes = [...WITHOUT_TAGS];
  Tags.of(app).add('service', 'tripod', { excludeResourceTypes });
  Tags.of(app).add('stage', config.stage, { excludeResourceTypes });
  if (isChecked) Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, data, operations, services, api, console };
}
