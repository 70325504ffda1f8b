import { ArnFormat } from 'aws-cdk-lib';
import type { InvokeGrant } from '../../functions/shared/access.ts';
import { deploymentName, functionName } from '../names.ts';
import { allow, type Grant, type Sources } from './grant.ts';

/** Invoking functions of other services, by their names: an exported ARN would tie the stacks together. */
export function grantInvocations({ functions }: InvokeGrant, { config, stack }: Sources): Grant {
  const arns = functions.map((id) =>
    stack.formatArn({
      service: 'lambda',
      resource: 'function',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      resourceName: functionName(config, id),
    }),
  );
  return {
    statements: [allow(['lambda:InvokeFunction'], arns)],
    environment: { FUNCTION_NAMES: deploymentName(config) },
  };
}
