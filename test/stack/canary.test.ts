import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import { hasAlias } from '../../lib/canary.ts';
import { allOf, type Synthesized, synthesize } from './synthesized.ts';

let plain: Synthesized;
let canary: Synthesized;
beforeAll(() => {
  plain = synthesize();
  canary = synthesize({ canaryMinutes: 10 });
});

const aliased = routes.filter(hasAlias);

describe('the API', () => {
  it('calls paid routes by their alias, with the option and without it, so that it can be turned on and off', () => {
    for (const stacks of [plain, canary]) {
      expect(allOf(stacks, 'AWS::Lambda::Alias')).toHaveLength(aliased.length);
      const api = JSON.stringify(stacks.template('api').toJSON());
      for (const { id } of routes) {
        const name = `tripod-dev-${id.replaceAll('.', '-')}`;
        expect(api.includes(`function:${name}:live/`), id).toBe(aliased.some((route) => route.id === id));
      }
    }
  });

  it('may call an alias as well as its function, which the API of an earlier release calls', () => {
    const targets = allOf(plain, 'AWS::Lambda::Permission').map(({ Properties }) => JSON.stringify(Properties));
    for (const { id } of aliased) {
      const pattern = `/${id.split('.')[1]}"`;
      const route = routes.find((each) => each.id === id)!;
      const ofRoute = targets.filter((text) =>
        text.includes(`${route.method}${route.path.replaceAll(/\{[^}]+\}/g, '*')}"`),
      );
      expect(
        ofRoute.some((text) => text.includes('"Ref"')),
        pattern,
      ).toBe(true);
      expect(
        ofRoute.some((text) => text.includes('Fn::GetAtt')),
        pattern,
      ).toBe(true);
    }
  });
});

describe('a canary', () => {
  it('is made for every alias, with an alarm on the faults of its service that takes it back', () => {
    expect(allOf(plain, 'AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
    const groups = allOf(canary, 'AWS::CodeDeploy::DeploymentGroup');
    expect(groups).toHaveLength(aliased.length);
    for (const { Properties } of groups)
      expect(Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
        AlarmConfiguration: { Enabled: true, Alarms: [{ Name: expect.anything() }] },
      });
    for (const alias of allOf(canary, 'AWS::Lambda::Alias'))
      expect(alias).toMatchObject({ UpdatePolicy: { CodeDeployLambdaAliasUpdate: expect.anything() } });
    const services = new Set(aliased.map(({ id }) => id.split('.')[0]));
    const watched = allOf(canary, 'AWS::CloudWatch::Alarm').flatMap(({ Properties: { MetricName, Period } = {} }) =>
      Period === 60 ? [String(MetricName)] : [],
    );
    expect(watched.sort()).toEqual([...services].map((service) => `${service}.Faults`).sort());
  });
});
