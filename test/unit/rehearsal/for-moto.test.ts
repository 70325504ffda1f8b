import { expect, it } from 'vitest';
import { forMoto } from '../../../bin/rehearse/for-moto.ts';

const resources = (template: object) => (forMoto(template) as { Resources: Record<string, object> }).Resources;

it('global tables become tables with the properties that both have', () => {
  const Properties = { TableName: 'a', KeySchema: [], Replicas: [{ Region: 'ap-northeast-2' }] };
  expect(resources({ Resources: { Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties } } })).toEqual({
    Table: { Type: 'AWS::DynamoDB::Table', DependsOn: [], Properties: { TableName: 'a', KeySchema: [] } },
  });
});

it('resources that moto does not know are left out, with the references to them', () => {
  const deployed = resources({
    Resources: {
      Secret: { Type: 'AWS::SecretsManager::Secret' },
      Live: { Type: 'AWS::Lambda::Alias', Properties: { FunctionName: { Ref: 'Function' } } },
      Function: {
        Type: 'AWS::Lambda::Function',
        DependsOn: ['Secret', 'Role'],
        Properties: { Environment: { SECRET: { Ref: 'Secret' } }, Layers: ['layer'] },
      },
      Permission: { Type: 'AWS::Lambda::Permission', Properties: { FunctionName: { Ref: 'Live' } } },
    },
  });
  expect(deployed).toEqual({
    Function: {
      Type: 'AWS::Lambda::Function',
      DependsOn: ['Role'],
      Properties: { Environment: { SECRET: expect.stringMatching(/^arn:aws:.*Secret-/) } },
    },
    Permission: { Type: 'AWS::Lambda::Permission', DependsOn: [], Properties: { FunctionName: { Ref: 'Function' } } },
  });
});
