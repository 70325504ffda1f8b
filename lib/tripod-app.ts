import { App, type AppProps, Tags, Validations } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Route } from '../functions/shared/http/route.ts';
import { readConfig } from './config.ts';
import { DataStack } from './stacks/data-stack.ts';
import { ServiceStack } from './stacks/service-stack.ts';

/** The CDK keeps older behaviour for apps of long ago; this is what it gives a new one. */
const featureFlags = {
  ...recommendedFlags,
  // The data stack cannot drop what the service stack still uses.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
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
