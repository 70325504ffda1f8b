import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import type { Route } from '../../functions/shared/http/route.ts';
import { buckets, queues, tables } from '../../functions/shared/resources.ts';
import type { Worker } from '../../functions/shared/worker.ts';
import { workers } from '../../functions/workers.ts';
import { type DeployedFunction, functionOf, resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

const functions: readonly (Route | Worker)[] = [...routes, ...workers];

/** A function as synthesized. */
interface Made {
  readonly entry: Route | Worker;
  readonly made: DeployedFunction;
  readonly rights: readonly Right[];
}

let all: readonly Made[];
beforeAll(() => {
  // With everything that a deployment can have.
  all = madeIn({
    sandbox: 'fargate',
    reader: 'textract',
    priceChatKrwPer1kTokens: 1,
    priceSandboxKrwPerSecond: 1,
    webSearchUrl: 'https://search.example.com/search',
    webSearchSecretArn: 'arn:aws:secretsmanager:ap-northeast-2:123456789012:secret:search-AbCdEf',
  });
});

function madeIn(context: Parameters<typeof synthesize>[0]): readonly Made[] {
  const synthesized = synthesize(context);
  return functions.map((entry) => {
    const made = functionOf(synthesized, entry)!;
    return { entry, made, rights: rightsOf(synthesized, made) };
  });
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Right {
  /** For example `accounts`, `uploads/*` or `knowledge dead letters`. */
  readonly resource: string;
  readonly action: string;
  /** For example `dynamodb:LeadingKeys WORKSPACE#*`; empty if the right has no condition. */
  readonly condition: string;
}

/** Every right of a role: it has no managed policies, and no policy elsewhere names it. */
function rightsOf(synthesized: Synthesized, { part, role, roleId }: DeployedFunction): readonly Right[] {
  expect(role).not.toHaveProperty('ManagedPolicyArns');
  const elsewhere = Object.values(resourcesOf(synthesized.template(part), 'AWS::IAM::Policy'));
  expect(elsewhere.filter(({ Properties: { Roles } }) => JSON.stringify(Roles).includes(roleId))).toEqual([]);

  const policies = role.Policies as { PolicyDocument: { Statement: Statement[] } }[];
  return policies.flatMap(({ PolicyDocument }) =>
    PolicyDocument.Statement.flatMap(({ Effect, Action, Resource, Condition }) => {
      expect(Effect).toBe('Allow');
      return [Resource]
        .flat()
        .flatMap((resource) =>
          [Action].flat().map((action) => ({ resource: nameOf(resource), action, condition: conditionOf(Condition) })),
        );
    }),
  );
}

function conditionOf(condition: Statement['Condition'] = {}): string {
  return Object.values(condition)
    .flatMap((keys) => Object.entries(keys))
    .map(([key, values]) => `${key} ${[values].flat().map(plainly).join(', ')}`)
    .join('; ');
}

function plainly(value: unknown): string {
  return typeof value === 'string' ? value : nameOf(value);
}

/** Plain words for a reference to a resource of any stack. */
function nameOf(resource: unknown): string {
  if (typeof resource === 'string') return resource;
  const json = JSON.stringify(resource);
  const suffix = /"(\/[^"]+)"/.exec(json)?.[1] ?? '';
  for (const [words, wanted] of [
    ['log of the service', /"LogGroup\w+","Arn"/],
    ['token of the runners', /^\{"Ref":"SandboxToken/],
    ['service of the runners', /"SandboxService\w+"/],
    ['tasks of the runners', /:task\/",\{"Ref":"SandboxCluster\w+"\},"\/\*"/],
    ['cluster of the runners', /^\{"Fn::GetAtt":\["SandboxCluster/],
    ['key of secrets', /SecretsKey/],
    ['signing key', /SigningKeySecret/],
    ['payment secret', /PaymentSecret/],
    ['connections of sockets', /:execute-api:.*:\*\/dev\/(DELETE|GET|POST)\/@connections\/\*/],
  ] as const)
    if (wanted.test(json)) return words;
  const invoked = /:function:([\w-]+)/.exec(json);
  if (invoked) return `function ${invoked[1]}`;
  const identity = /:identity\/[\w.]+/.exec(json);
  if (identity) return identity[0].slice(1);
  const name = /Att(\w+?)(table|bucket|queue)(Table|Bucket|Queue|DeadLetters)/.exec(json);
  if (!name) throw new Error(`Who is ${json}?`);
  const part = name[3] === 'DeadLetters' ? ' dead letters' : /StreamArn/.test(json) ? ' changes' : '';
  return `${name[2]} ${name[1]!.replace(/^Master/, '')}${part}${suffix}`;
}

/** One line for each resource and condition: `table accounts: dynamodb:GetItem`. */
function linesOf(rights: readonly Right[]): readonly string[] {
  const actions = new Map<string, Set<string>>();
  for (const { resource, action, condition } of rights) {
    const what = condition === '' ? resource : `${resource} [${condition}]`;
    actions.set(what, (actions.get(what) ?? new Set()).add(action));
  }
  return [...actions].map(([what, all]) => `  ${what}: ${[...all].sort().join(' ')}`).sort();
}

describe('the role of a function', () => {
  it('has exactly the rights that rights.txt lists: review a change there, and accept it by `vitest run -u`', async () => {
    const lists = all.map(({ entry, rights }) => [entry.id, ...linesOf(rights)].join('\n'));
    await expect(`${lists.sort().join('\n')}\n`).toMatchFileSnapshot('rights.txt');
  });

  it('has no wildcard in any action', () => {
    for (const { rights } of all) for (const { action } of rights) expect(action).toMatch(/^[a-z0-9-]+:[A-Za-z]+$/);
  });

  it('cannot call Textract with the embedded reader, which is the default', () => {
    const rights = madeIn({ sandbox: 'fargate' }).flatMap((made) => made.rights);
    expect(rights.filter(({ action }) => action.startsWith('textract'))).toEqual([]);
  });

  it.each([
    ['table', tables],
    ['bucket', buckets],
    ['queue', queues],
  ] as const)('goes with the settings of a function, which name each %s that it may use', (kind, definitions) => {
    for (const { entry, made, rights } of all) {
      const named = Object.entries(definitions).filter(([, { environment }]) => environment in made.environment);
      const granted = Object.keys(definitions).filter((id) =>
        rights.some(({ resource }) => resource.replace(/\/.*$/, '') === `${kind} ${id.replaceAll('-', '')}`),
      );
      expect(
        named.map(([id]) => id),
        entry.id,
      ).toEqual(granted);
    }
  });
});

it('a function has the version, the log level, and the settings of readers only if it reads', () => {
  for (const { entry, made } of all) {
    const { environment, properties } = made;
    const { access } = entry;
    expect({ ...environment, id: entry.id }).toMatchObject({ SERVICE_VERSION: '1.2.3', LOG_LEVEL: 'INFO' });
    const has = (name: string) => name in environment;
    expect(has('DRUG_MASTER'), entry.id).toBe(access.includes('drug-master'));
    expect(has('READER'), entry.id).toBe(access.includes('ocr'));
    expect(has('OCR_DIR'), entry.id).toBe(access.includes('ocr') || access.includes('pdf:scans'));
    const hasLayer = (['ocr', 'pdf', 'pdf:scans'] as const).some((facility) => access.includes(facility));
    expect(properties.Layers !== undefined, entry.id).toBe(hasLayer);
  }
});
