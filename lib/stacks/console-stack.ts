import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { ConsoleSite } from '../constructs/console-site.ts';
import type { ApiStack } from './api-stack.ts';
import type { DataStack } from './data-stack.ts';

export interface ConsoleStackProps extends StackProps {
  readonly config: Config;
  readonly data: DataStack;
  readonly api: ApiStack;
  /** Folder of the built console. */
  readonly assets: string;
}

/** The web console, before the API. */
export class ConsoleStack extends Stack {
  constructor(scope: Construct, id: string, { config, data, api, assets, ...props }: ConsoleStackProps) {
    super(scope, id, props);
    const { uploads, knowledge } = data.buckets;
    const host =
      config.domainName === undefined
        ? { host: `${api.restApiId}.execute-api.${this.region}.${this.urlSuffix}`, path: `/${config.stage}` }
        : { host: config.domainName, path: '' };
    const { url } = new ConsoleSite(this, 'Site', { config, assets, api: host, openBuckets: [uploads, knowledge] });
    new CfnOutput(this, 'ConsoleUrl', {
      value: url,
      description: 'Address of the web console, and of the API under it',
    });
  }
}
