import { difyFile, difyNode, difyStart } from '../dify.ts';

/** A Dify file with one feature, and what its run is given. Each is run in both engines. */
export interface DifyCase {
  /** group/feature, unique. */
  readonly name: string;
  /** The file, with {{SERVER}} where the address of the test's server belongs. */
  readonly dsl: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly query: string;
  readonly files: readonly object[];
  /** Answers of the model, call by call, the last one again and again; null: the file asks no model. */
  readonly says: readonly string[] | null;
}

interface Micro {
  /** Conversation variables: name to type and value. */
  readonly values?: Readonly<Record<string, readonly [type: string, value: unknown]>>;
  readonly environment?: Readonly<Record<string, readonly [type: string, value: unknown]>>;
  /** Variables of the start node, without labels. */
  readonly fields?: readonly object[];
  readonly nodes?: readonly object[];
  /** Ways between all nodes; by default one after another from `start` to the end. */
  readonly ways?: readonly string[];
  /** Text of the answer `reply`. */
  readonly reply?: string;
  /** Outputs of the end node `end`, in place of an answer: name to selector. */
  readonly outputs?: Readonly<Record<string, readonly string[]>>;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly query?: string;
  readonly files?: readonly object[];
  readonly says?: readonly string[];
}

/** A file from what makes it special. */
export function micro(name: string, asked: Micro): DifyCase {
  const { values = {}, environment = {}, fields = [], nodes = [], reply, outputs, inputs = {} } = asked;
  const last = outputs ? [end(outputs)] : reply !== undefined ? [answer('reply', reply)] : [];
  const all = [difyStart(...fields.map((each) => ({ label: 'A field', required: false, ...each }))), ...nodes, ...last];
  const ids = all.map((each) => (each as { readonly id: string }).id);
  const ways = asked.ways ?? ids.slice(1).map((id, index) => `${ids[index]} > ${id}`);
  const dsl = difyFile(all, ways, {
    mode: outputs ? 'workflow' : 'advanced-chat',
    name,
    conversation_variables: variables(values),
    environment_variables: variables(environment),
  });
  return { name, dsl, inputs, query: asked.query ?? 'Hello', files: asked.files ?? [], says: asked.says ?? null };
}

function variables(named: NonNullable<Micro['values']>): readonly object[] {
  return Object.entries(named).map(([name, [value_type, value]]) => ({
    ...{ id: name, name, value_type, value, description: '', selector: [] },
  }));
}

export const answer = (id: string, text: string, more: object = {}) =>
  difyNode(id, { type: 'answer', answer: text, variables: [], ...more });

const end = (outputs: NonNullable<Micro['outputs']>) =>
  difyNode('end', {
    type: 'end',
    outputs: Object.entries(outputs).map(([variable, value_selector]) => ({ variable, value_selector })),
  });

export const of = (name: string) => ['conversation', name] as const;

export const program = (id: string, code: string, outputs: Readonly<Record<string, string>>, more: object = {}) =>
  difyNode(id, {
    type: 'code',
    code_language: 'python3',
    code,
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, type]) => [name, { type, children: null }])),
    variables: [],
    ...more,
  });

/** A program that returns one value. */
export const gives = (id: string, value: string, type: string, more: object = {}) =>
  program(id, `def main():\n    return {"result": ${value}}`, { result: type }, more);

export const fails = (id: string, more: object = {}) =>
  program(id, 'def main():\n    raise Exception("no luck")', { result: 'string' }, more);

export const template = (
  id: string,
  text: string,
  from: Readonly<Record<string, readonly string[]>>,
  more: object = {},
) =>
  difyNode(id, {
    type: 'template-transform',
    template: text,
    variables: Object.entries(from).map(([variable, value_selector]) => ({ variable, value_selector })),
    ...more,
  });

export const condition = (selector: readonly string[], comparison_operator: string, value: unknown = '') => ({
  ...{ id: 'c', variable_selector: selector, comparison_operator, value, varType: 'string' },
});

export const choice = (id: string, cases: Readonly<Record<string, readonly object[]>>, more: object = {}) =>
  difyNode(id, {
    type: 'if-else',
    cases: Object.entries(cases).map(([case_id, conditions]) => ({
      ...{ case_id, id: case_id, logical_operator: 'and', conditions, ...more },
    })),
  });

/** A document of the web, as it comes with a message. */
export const document = {
  ...{ type: 'document', transfer_method: 'remote_url', url: 'https://files.example/report.pdf', name: 'report.pdf' },
  ...{ mime_type: 'application/pdf', size: 2048 },
};
export const picture = {
  ...{ type: 'image', transfer_method: 'remote_url', url: 'https://files.example/cat.png', name: 'cat.png' },
  ...{ mime_type: 'image/png', size: 1024 },
};
