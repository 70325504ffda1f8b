import type { TestService } from '../service.ts';
import { envelope } from './calls.ts';

type Data = Readonly<Record<string, unknown>> & { readonly type: string };
type Parts = Readonly<Record<string, unknown>>;

export interface Note {
  readonly node_id: string | null;
  readonly type: string;
  readonly title: string;
  readonly message: string;
}

export interface Imported {
  readonly workflow: {
    readonly id: string;
    readonly name: string;
    readonly graph: {
      readonly nodes: readonly { readonly id: string; readonly type: string; readonly data: { config: Parts } }[];
      readonly environment_variables?: readonly object[];
    };
  };
  readonly valid: boolean;
  readonly issues: readonly { readonly node_id: string | null; readonly message: string; readonly severity: string }[];
  readonly unsupported: readonly Note[];
  readonly to_connect: readonly Note[];
  readonly emptied: readonly Note[];
}

/** A node of a file; `in` names the iteration or loop that it is in. */
export function difyNode(id: string, { in: parent, ...data }: Data & { readonly in?: string }): object {
  return { id, position: { x: 0, y: 0 }, ...(parent && { parentId: parent }), data: { title: id, ...data } };
}

/** A Dify file, as YAML reads it. Ways are texts: `a > b`, or `a:handle > b`. */
export function difyFile(nodes: readonly object[], ways: readonly string[], rest: Parts = {}): string {
  const { mode = 'advanced-chat', name = `Imported ${Math.random()}`, ...workflow } = rest;
  const edges = ways.map((way, index) => {
    const [from, target] = way.split(' > ') as [string, string];
    const [source, sourceHandle = 'source'] = from.split(':') as [string, string?];
    return { id: `e${index}`, source, target, sourceHandle };
  });
  return JSON.stringify({
    app: { mode, name },
    kind: 'app',
    version: '0.3.0',
    workflow: { ...workflow, graph: { nodes, edges } },
  });
}

/** Takes over a file. @throws when it is refused */
export async function importDify(service: Pick<TestService, 'baseUrl' | 'apiKey'>, dsl: string): Promise<Imported> {
  const { status, json } = await envelope<Imported>(service, 'POST', '/workflows/import', { dsl });
  if (status !== 201) throw new Error(json.message);
  return json.data;
}

export const difyStart = (...variables: readonly object[]) => difyNode('start', { type: 'start', variables });

/** Nodes of files, without members that tests do not need. */
export const difyProgram = (id: string, code: string, outputs: object, more: object = {}) =>
  difyNode(id, { type: 'code', code_language: 'python3', code, outputs, variables: [], ...more });
export const difyFailing = (id: string, more: object = {}) =>
  difyProgram(id, 'def main():\n    raise Exception("no luck")', { result: { type: 'string' } }, more);
export const difyTemplate = (id: string, text: string, from: readonly string[], more: object = {}) =>
  difyNode(id, {
    type: 'template-transform',
    template: text,
    variables: [{ variable: 'v', value_selector: from }],
    ...more,
  });
export const difyCondition = (variable: readonly string[], comparison_operator: string, value: string) => ({
  variable_selector: variable,
  comparison_operator,
  value,
});
