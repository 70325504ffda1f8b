import { ArnFormat } from 'aws-cdk-lib';
import { deploymentName, functionName } from '../names.ts';
import { allowUsed, type GrantMaker } from './grant.ts';

/** Invoking functions of other services, by their names: an exported ARN would tie the stacks together. */
export const grantInvocations: GrantMaker = (entry, { config, stack }) => {
  const { access } = entry;
  if (access.invokes === undefined) return [];
  const arns = access.invokes.map((id) =>
    stack.formatArn({
      service: 'lambda',
      resource: 'function',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      resourceName: functionName(config, id),
    }),
  );
  return [
    {
      statements: allowUsed(entry, 'functions', ['lambda:InvokeFunction'], arns),
      environment: { FUNCTION_NAMES: deploymentName(config) },
    },
  ];
};
