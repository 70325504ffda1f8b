import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Route } from '../functions/shared/http/route.ts';
import { readConfig } from './config.ts';
import { DataStack } from './stacks/data-stack.ts';
import { ServiceStack } from './stacks/service-stack.ts';

/** The CDK's newer behaviour where it keeps an older one for apps of long ago. */
const featureFlags = {
  '@aws-cdk/core:checkSecretUsage': true,
  '@aws-cdk/aws-iam:minimizePolicies': true,
  '@aws-cdk/aws-s3:serverAccessLogsUseBucketPolicy': true,
  '@aws-cdk/aws-s3:createDefaultLoggingPolicy': true,
};

export interface TripodAppProps extends AppProps {
  readonly routes: readonly Route[];
  /** Folder with the bundle of every route's handler. */
  readonly functionsAsset: string;
  readonly version: string;
}

export interface TripodApp {
  readonly app: App;
  readonly data: DataStack;
  readonly service: ServiceStack;
}

/** The whole deployment: data that stays, and the service that changes with every release. */
export function tripodApp({ routes, functionsAsset, version, context, ...props }: TripodAppProps): TripodApp {
  const app = new App({ ...props, context: { ...featureFlags, ...context } });
  const config = readConfig((key) => app.node.tryGetContext(key));
  const named = (part: string) => `tripod-${config.stage}-${part}`;
  const data = new DataStack(app, named('data'), { config, terminationProtection: config.isProduction });
  const service = new ServiceStack(app, named('service'), {
    config,
    routes,
    code: Code.fromAsset(functionsAsset, { exclude: ['**/*.map'] }),
    version,
    data,
  });
  Tags.of(app).add('service', 'tripod');
  Tags.of(app).add('stage', config.stage);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return { app, data, service };
}
