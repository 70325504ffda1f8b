import { Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Wildcard } from './grant.ts';

/** Gives cdk-nag the reason why the wildcards of a construct's grants are right. */
export function acknowledgeWildcards(construct: Construct, wildcards: readonly Wildcard[]): void {
  for (const { resource, reason } of wildcards)
    Validations.of(construct).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });
}
