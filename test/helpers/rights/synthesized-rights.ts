import { routes } from '../../../functions/routes.ts';
import { workers } from '../../../functions/workers.ts';
import { functionOf, synthesize } from '../../stack/synthesized.ts';
import type { Statement } from './policy.ts';
import { resolver } from './resolve-references.ts';
import type { FunctionRights } from './rights.ts';

interface TemplateStatement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Statement['conditions'];
}

/** Rights and settings of all functions, out of the templates. */
export function synthesizedRights(): ReadonlyMap<string, FunctionRights> {
  const stack = synthesize({
    ...{ sandbox: 'fargate', reader: 'textract', priceChatKrwPer1kTokens: 1, priceSandboxKrwPerSecond: 1 },
    webSearchUrl: 'https://search.example.com/search',
    webSearchSecretArn: 'arn:aws:secretsmanager:ap-northeast-2:123456789012:secret:search-AbCdEf',
  });
  const rights = new Map<string, FunctionRights>();
  for (const entry of [...routes, ...workers]) {
    const made = functionOf(stack, entry);
    if (made === undefined) throw new Error(`${entry.id} has no function in any stack.`);
    const resolve = resolver(stack.templates, made.part);
    const policies = made.role.Policies as { PolicyDocument: { Statement: TemplateStatement[] } }[];
    rights.set(entry.id, {
      statements: policies.flatMap(({ PolicyDocument }) =>
        PolicyDocument.Statement.map(({ Effect, Action, Resource, Condition = {} }) => ({
          effect: Effect,
          actions: [Action].flat(),
          resources: [Resource].flat().map(resolve),
          conditions: Condition,
        })),
      ),
      environment: Object.fromEntries(Object.entries(made.environment).map(([name, value]) => [name, resolve(value)])),
    });
  }
  return rights;
}
