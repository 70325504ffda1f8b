import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import { EVERYTHING, OPTIONS } from './all-options.ts';
import { type Resource, resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

/** CloudFormation takes 500 resources a stack; the difference is left for releases to come. */
const MAX_RESOURCES = 350;
let plain: Synthesized;
let full: Synthesized;
beforeAll(() => {
  plain = synthesize({}, routes, { isChecked: true });
  full = synthesize(EVERYTHING, routes, { isChecked: true });
});

const resourceCounts = ({ templates }: Synthesized) =>
  new Map([...templates].map(([part, template]) => [part, Object.keys(template.toJSON().Resources).length]));

interface Output {
  readonly Value: unknown;
  readonly Export?: { readonly Name: unknown };
}

const outputsOf = ({ templates }: Synthesized) =>
  [...templates].flatMap(([part, template]) =>
    Object.entries((template.toJSON().Outputs ?? {}) as Record<string, Output>).map(([id, output]) => ({
      part,
      id,
      ...output,
    })),
  );

const exportsOf = (stack: Synthesized) => outputsOf(stack).filter((output) => output.Export !== undefined);

describe('the stacks', () => {
  it('there is one stack for each service, plus data, operations and API', () => {
    expect([...plain.templates.keys()].sort()).toEqual(
      [
        'accounts',
        'api',
        'channels',
        'chat',
        'data',
        'extraction',
        'knowledge',
        'mcp',
        'operations',
        'sandbox',
        'system',
        'workflows',
      ].sort(),
    );
    for (const { id } of routes) expect(plain.templates.has(id.split('.')[0] as never), id).toBe(true);
  });

  it('stay below the limit of CloudFormation with everything that a deployment can have', () => {
    for (const [part, count] of resourceCounts(full)) expect(count, part).toBeLessThan(MAX_RESOURCES);
  });
});

describe('the first deployment into an account', () => {
  it('makes the log role of API Gateway before every stage that writes access logs', () => {
    for (const { templates } of [plain, full]) {
      const logging = [...templates].flatMap(([part, template]) => {
        const resources = template.toJSON().Resources as Record<string, Resource>;
        return Object.entries(resources).flatMap(([id, { Properties = {} }]) =>
          'AccessLogSetting' in Properties || 'AccessLogSettings' in Properties ? [{ part, id, resources }] : [],
        );
      });
      expect(logging.map(({ resources, id }) => resources[id]!.Type).sort()).toEqual([
        'AWS::ApiGateway::Stage',
        'AWS::ApiGatewayV2::Stage',
      ]);
      for (const { part, id, resources } of logging)
        expect(
          [...madeBefore(id, resources)].map((each) => resources[each]!.Type),
          `${part} ${id}`,
        ).toContain('AWS::ApiGateway::Account');
    }
  });
});

/** Ids of the resources that CloudFormation makes before this one: by DependsOn, and by what its properties refer to. */
function madeBefore(
  id: string,
  resources: Readonly<Record<string, Resource>>,
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  const { DependsOn = [], ...resource } = resources[id]!;
  const referred = [...JSON.stringify(resource).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)].map(([, each]) => each!);
  for (const each of [DependsOn, referred].flat()) {
    if (resources[each] === undefined || found.has(each)) continue;
    found.add(each);
    madeBefore(each, resources, found);
  }
  return found;
}

describe('what a stack exports', () => {
  it('does not depend on any option, so that each can be taken back', () => {
    const expected = exportsOf(plain);
    expect(expected.length).toBeGreaterThan(0);
    for (const context of OPTIONS) expect(exportsOf(synthesize(context)), JSON.stringify(context)).toEqual(expected);
    expect(exportsOf(full)).toEqual(expected);
  });

  it('is data, the topic of alarms and the id of the API: functions are found by their names', () => {
    expect(new Set(exportsOf(full).map(({ part }) => part))).toEqual(new Set(['data', 'operations', 'api']));
    for (const { part, Value } of exportsOf(full).filter((each) => each.part === 'operations'))
      expect(Value, part).toMatchObject({ Ref: expect.stringMatching(/^Topic/) });
  });

  it('has no export that is used and missing', () => {
    const names = new Set(exportsOf(full).map((output) => output.Export!.Name));
    const used = [
      ...JSON.stringify([...full.templates.values()].map((template) => template.toJSON())).matchAll(
        /"Fn::ImportValue":"([^"]+)"/g,
      ),
    ];
    expect(used.length).toBeGreaterThan(0);
    for (const [, name] of used) expect(names).toContain(name);
  });
});

describe('two stages in one account', () => {
  const GIVEN_NAMES = [
    ...['FunctionName', 'LogGroupName', 'TableName', 'BucketName', 'QueueName', 'TopicName', 'DashboardName'],
    ...['AlarmName', 'RoleName', 'ClusterName', 'ServiceName', 'Family', 'RestApiName', 'LayerName', 'BudgetName'],
  ];
  const DIMENSION_VALUES_ALLOWED = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::Dashboard'];

  /** Names that are chosen here, not generated: `AWS::Lambda::Function tripod-dev-…`. */
  const namesOf = ({ templates }: Synthesized): string[] =>
    [...templates.values()].flatMap((template) =>
      Object.values(
        template.toJSON().Resources as Record<string, { Type: string; Properties?: Record<string, unknown> }>,
      )
        .filter(({ Type }) => !DIMENSION_VALUES_ALLOWED.includes(Type) || Type === 'AWS::CloudWatch::Dashboard')
        .flatMap(({ Type, Properties = {} }) => {
          const budget = (Properties.Budget ?? {}) as Record<string, unknown>;
          return Object.entries({ ...Properties, ...budget })
            .filter(([key, value]) => GIVEN_NAMES.includes(key) && typeof value === 'string')
            .map(([, value]) => `${Type} ${value}`);
        }),
    );

  it('share no name of a stack, an export or a resource', () => {
    const [a, b] = [full, synthesize({ ...EVERYTHING, stage: 'second' })].map((stack) => [
      ...namesOf(stack),
      ...exportsOf(stack).map((output) => JSON.stringify(output.Export)),
      ...[stack.data, stack.operations, stack.api, ...stack.services].map(({ stackName }) => stackName),
    ]);
    expect(a!.filter((name) => name.startsWith('AWS::Lambda::Function '))).not.toEqual([]);
    expect(a!.filter((name) => b!.includes(name))).toEqual([]);
  });

  it('have names that Lambda takes, also with the longest name of a stage', () => {
    const { templates } = synthesize({ stage: 'a234567890123456' });
    for (const template of templates.values())
      for (const { Properties } of Object.values(resourcesOf(template, 'AWS::Lambda::Function')))
        if (Properties.FunctionName !== undefined)
          expect(String(Properties.FunctionName).length).toBeLessThanOrEqual(64);
  });
});

describe('the outputs for people', () => {
  it('name the address, its health, the bucket of the master and the topic of alarms', () => {
    const named = new Map(outputsOf(full).map(({ part, id, Value }) => [`${part} ${id}`, Value]));
    expect(named.get('api Url')).toBe('https://api.example.com/');
    expect(named.get('api Health')).toBe('https://api.example.com/api/v1/health');
    expect(named.get('data MasterBucket')).toMatchObject({ Ref: expect.stringMatching(/^Master/) });
    expect(named.get('operations AlarmTopic')).toMatchObject({ Ref: expect.stringMatching(/^Topic/) });
    const url = outputsOf(plain).find(({ part, id }) => part === 'api' && id === 'Url')!;
    expect(JSON.stringify(url.Value)).toContain('.execute-api.');
  });
});
