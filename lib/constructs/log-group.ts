import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';

/**
 * A log group with the configured retention. Its name is generated, and in production it survives an update or a deletion
 * but not a failed creation: either way a second attempt never meets the group of the first.
 */
export function logGroup(scope: Construct, id: string, { logRetentionDays, keepData }: Config): LogGroup {
  return new LogGroup(scope, id, {
    retention: logRetentionDays,
    removalPolicy: keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
}
