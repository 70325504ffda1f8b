import { listField, objectField, textField } from '../graph/fields.ts';
import {
  DEFAULT_HANDLE,
  DEFAULT_SETTINGS,
  type Graph,
  type GraphEdge,
  type GraphNode,
  isObject,
  type Json,
  type JsonObject,
  NO_RETRY,
  type NodeType,
} from '../graph/graph.ts';
import { WorkflowRefused } from '../workflow-refused.ts';

/** A part of a file that has no counterpart here, and what stands in its place. */
export interface Unsupported {
  readonly nodeId: string;
  readonly type: string;
  readonly message: string;
}

export interface ImportedGraph {
  readonly name: string;
  readonly description: string;
  readonly graph: Graph;
  readonly unsupported: readonly Unsupported[];
}

type Converted = Pick<GraphNode, 'type' | 'config'> & Partial<Pick<GraphNode, 'inputs'>>;

/** Outputs that have another name here, by the type of their node there. */
const OUTPUTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'http-request': { body: 'text', status_code: 'status' },
  'template-transform': { output: 'text' },
  iteration: { output: 'results' },
  'knowledge-retrieval': { result: 'documents' },
};
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ contains: 'contains', 'not contains': 'not_contains', 'start with': 'starts_with', 'end with': 'ends_with' },
  ...{ is: 'equals', 'is not': 'not_equals', empty: 'is_empty', 'not empty': 'is_not_empty', '=': 'equals' },
  ...{ '≠': 'not_equals', '>': 'gt', '<': 'lt', '≥': 'gte', '≤': 'lte' },
};
const FIELD_TYPES: Readonly<Record<string, string>> = {
  ...{ 'text-input': 'text', paragraph: 'text', number: 'number', select: 'select', 'file-list': 'list' },
};
const OUTPUT_TYPES: Readonly<Record<string, string>> = { string: 'text', number: 'number', object: 'object' };

/** The graph of a Dify application of the modes workflow and advanced-chat. @throws WorkflowRefused 'invalid_dsl' */
export function fromDify(document: Json): ImportedGraph {
  if (!isObject(document)) throw invalid('The file is no Dify DSL: it must be a mapping with app and workflow.');
  const app = objectField(document, 'app');
  const mode = textField(app, 'mode');
  if (mode !== 'workflow' && mode !== 'advanced-chat')
    throw invalid(
      `app.mode is ${JSON.stringify(mode)}. Only applications of the modes workflow and advanced-chat have a graph.`,
    );
  const source = objectField(objectField(document, 'workflow'), 'graph');
  const nodes = listField(source, 'nodes').filter(isObject);
  if (nodes.length === 0) throw invalid('workflow.graph.nodes is empty. Export the application once more.');
  return new Conversion(nodes, listField(source, 'edges').filter(isObject)).result(app);
}

class Conversion {
  readonly #nodes: readonly JsonObject[];
  readonly #edges: readonly JsonObject[];
  readonly #types = new Map<string, string>();
  readonly #unsupported: Unsupported[] = [];
  /** Outputs that others refer to, of nodes that have no counterpart. */
  readonly #wanted = new Map<string, Set<string>>();

  constructor(nodes: readonly JsonObject[], edges: readonly JsonObject[]) {
    // The beginning of an iteration is a node of its own there.
    const isDrawnOnly = (node: JsonObject) => ['iteration-start', 'loop-start', ''].includes(typeOf(node));
    this.#nodes = nodes.filter((node) => !isDrawnOnly(node));
    for (const node of this.#nodes) this.#types.set(textField(node, 'id'), typeOf(node));
    this.#edges = edges.filter((edge) => [edge.source, edge.target].every((id) => this.#types.has(String(id))));
  }

  result(app: JsonObject): ImportedGraph {
    const converted = this.#nodes.map((node) => this.#node(node));
    const graph: Graph = {
      version: 1,
      nodes: converted.map((node) => this.#withWantedOutputs(node)),
      edges: this.#edges.map((edge, index) => this.#edge(edge, index)),
      settings: DEFAULT_SETTINGS,
    };
    const name = textField(app, 'name').trim().slice(0, 100) || 'Imported workflow';
    return { name, description: textField(app, 'description').slice(0, 1_000), graph, unsupported: this.#unsupported };
  }

  #node(node: JsonObject): GraphNode {
    const data = objectField(node, 'data');
    const id = textField(node, 'id');
    const parent = textField(node, 'parentId') || textField(data, 'iteration_id') || textField(data, 'loop_id');
    const { x, y } = objectField(node, 'position');
    const base = this.#converted(id, data);
    return {
      id: idOf(id),
      type: base.type,
      parentId: parent === '' ? null : idOf(parent),
      title: textField(data, 'title').slice(0, 200) || id,
      inputs: base.inputs ?? {},
      config: base.config,
      onError: data.error_strategy === 'fail-branch' ? 'branch' : 'fail',
      defaultOutput: null,
      retry: NO_RETRY,
      position: typeof x === 'number' && typeof y === 'number' ? { x, y } : null,
    };
  }

  #converted(id: string, data: JsonObject): Converted {
    const type = textField(data, 'type');
    switch (type) {
      case 'start':
        return {
          type: 'start',
          config: {
            fields: listField(data, 'variables')
              .filter(isObject)
              .map((each) => this.#field(id, each)),
          },
        };
      case 'end': {
        const outputs = listField(data, 'outputs').filter(isObject);
        const inputs = Object.fromEntries(
          outputs.map((each) => [textField(each, 'variable'), this.#selected(each.value_selector)]),
        );
        return { type: 'answer', config: { text: Object.values(inputs).map(String).join('\n') }, inputs };
      }
      case 'answer':
        return { type: 'answer', config: { text: this.#text(textField(data, 'answer')) } };
      case 'llm':
        return this.#agent(id, data);
      case 'if-else':
        return this.#condition(id, data);
      case 'question-classifier':
        return {
          type: 'classifier',
          config: {
            query: this.#selected(data.query_variable_selector),
            classes: listField(data, 'classes')
              .filter(isObject)
              .map((each) => ({ id: textField(each, 'id'), name: textField(each, 'name') || textField(each, 'id') })),
            ...(textField(data, 'instruction') && { instruction: this.#text(textField(data, 'instruction')) }),
          },
        };
      case 'http-request':
        return this.#request(id, data);
      case 'code':
        return this.#code(id, data);
      case 'template-transform': {
        if (/\{%-?\s*(macro|call|set|import|extends)\b/.test(textField(data, 'template')))
          this.#report(id, type, 'Its template uses Jinja2 that Liquid does not have. Rewrite config.template.');
        return { type: 'template', config: { template: textField(data, 'template') }, inputs: this.#variables(data) };
      }
      case 'variable-aggregator':
      case 'variable-assigner': {
        const selectors = listField(data, 'variables').map((each) => this.#sourceOf(each));
        const known = selectors.filter((each) => each !== null);
        return {
          type: 'variable_assign',
          config: { values: { output: known.length > 0 ? `{{${known.join(' | ')}}}` : null } },
        };
      }
      case 'iteration':
        return {
          type: 'iteration',
          config: {
            items: this.#selected(data.iterator_selector),
            output: this.#selected(data.output_selector),
            concurrency: data.is_parallel === true ? Math.min(50, Number(data.parallel_nums ?? 10)) : 1,
            on_item_error:
              { 'continue-on-error': 'null', 'remove-abnormal-output': 'skip' }[textField(data, 'error_handle_mode')] ??
              'fail',
          },
        };
      default: {
        const message = `Nodes of type ${JSON.stringify(type)} have no counterpart. A node that gives out null stands in its place.`;
        this.#report(id, type, message);
        return { type: 'variable_assign', config: { values: { output: null } } };
      }
    }
  }

  #field(id: string, variable: JsonObject): JsonObject {
    const given = textField(variable, 'type');
    const type = FIELD_TYPES[given];
    if (!type)
      this.#report(
        id,
        'start',
        `Its field ${textField(variable, 'variable')} is of type ${JSON.stringify(given)}. It is a text here: send an address.`,
      );
    const options = listField(variable, 'options').filter((each) => typeof each === 'string');
    return {
      name: textField(variable, 'variable'),
      type: type ?? 'text',
      ...(textField(variable, 'label') && { label: textField(variable, 'label').slice(0, 200) }),
      required: variable.required === true,
      ...(type === 'select' && { options }),
      ...(typeof variable.max_length === 'number' &&
        type === 'text' &&
        variable.max_length > 0 && { max_length: variable.max_length }),
    };
  }

  #agent(id: string, data: JsonObject): Converted {
    const prompts = Array.isArray(data.prompt_template)
      ? data.prompt_template.filter(isObject)
      : [{ role: 'user', text: textField(objectField(data, 'prompt_template'), 'text') }];
    const said = (role: string) =>
      prompts
        .filter((each) => each.role === role)
        .map((each) => this.#text(textField(each, 'text')))
        .join('\n\n');
    const { temperature } = objectField(objectField(data, 'model'), 'completion_params');
    const name = textField(objectField(data, 'model'), 'name');
    this.#report(
      id,
      'llm',
      `Its model ${JSON.stringify(name)} is not taken over. It asks that of the application that is chatted with; set config.application_id for another one.`,
    );
    const system = said('system');
    return {
      type: 'agent',
      config: {
        prompt: said('user') || '{{sys.query}}',
        ...(system && { system }),
        ...(typeof temperature === 'number' && { temperature: Math.max(0, Math.min(2, temperature)) }),
        ...(isObject(data.memory) && { with_history: true }),
      },
    };
  }

  #condition(id: string, data: JsonObject): Converted {
    const given = listField(data, 'cases').filter(isObject);
    // Files of before version 0.1.1 have one case, without an id.
    const cases =
      given.length > 0
        ? given
        : [{ case_id: 'true', logical_operator: data.logical_operator ?? 'and', conditions: data.conditions ?? [] }];
    return {
      type: 'condition',
      config: {
        cases: cases.map((each) => ({
          id: textField(each, 'case_id') || 'true',
          match: each.logical_operator === 'or' ? 'any' : 'all',
          conditions: listField(each, 'conditions')
            .filter(isObject)
            .map((one) => this.#comparison(id, one)),
        })),
      },
    };
  }

  #comparison(id: string, { variable_selector, comparison_operator, value }: JsonObject): JsonObject {
    const operator = OPERATORS[String(comparison_operator)];
    if (!operator)
      this.#report(
        id,
        'if-else',
        `Its comparison ${JSON.stringify(comparison_operator)} has no counterpart. It compares for equality.`,
      );
    const left = this.#selected(variable_selector ?? null);
    if (operator === 'is_empty' || operator === 'is_not_empty') return { left, operator };
    return {
      left,
      operator: operator ?? 'equals',
      right: typeof value === 'string' ? this.#text(value) : (value ?? ''),
    };
  }

  #request(id: string, data: JsonObject): Converted {
    const headers = textField(data, 'headers')
      .split('\n')
      .flatMap((line) => {
        const [name, ...rest] = line.split(':');
        return name?.trim() && rest.length > 0
          ? [[name.trim().replace(/[^\w-]/g, '_'), this.#text(rest.join(':').trim())] as const]
          : [];
      });
    if (objectField(data, 'authorization').type === 'api-key')
      this.#report(id, 'http-request', 'Its API key is not part of a DSL file. Set config.headers.');
    const body = objectField(data, 'body');
    const parts = Array.isArray(body.data)
      ? body.data
          .filter(isObject)
          .map((each) => textField(each, 'value'))
          .join('')
      : textField(body, 'data');
    const method = textField(data, 'method').toUpperCase();
    return {
      type: 'http_request',
      config: {
        method: method || 'GET',
        url: this.#text(textField(data, 'url')),
        ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
        ...(parts && method !== 'GET' && { body: this.#text(parts) }),
      },
    };
  }

  #code(id: string, data: JsonObject): Converted {
    const isPython = textField(data, 'code_language') !== 'javascript';
    const code = textField(data, 'code');
    const outputs = Object.entries(objectField(data, 'outputs')).map(([name, declared]) => {
      const type = isObject(declared) ? textField(declared, 'type') : '';
      return [name, type.startsWith('array') ? 'list' : (OUTPUT_TYPES[type] ?? 'any')] as const;
    });
    const [language, call] = isPython
      ? ['python', `${code}\n\nimport json as _json, sys as _sys\nprint(_json.dumps(main(**_json.load(_sys.stdin))))\n`]
      : [
          'javascript',
          `${code}\n\nPromise.resolve(main(JSON.parse(require('node:fs').readFileSync(0, 'utf8')))).then((result) => console.log(JSON.stringify(result)));\n`,
        ];
    if (!/\bmain\b/.test(code)) this.#report(id, 'code', 'Its program has no function main. Correct config.code.');
    return {
      type: 'code',
      config: { language, code: call, outputs: Object.fromEntries(outputs) },
      inputs: this.#variables(data),
    };
  }

  #variables(data: JsonObject): JsonObject {
    const variables = listField(data, 'variables').filter(isObject);
    return Object.fromEntries(
      variables.map((each) => [textField(each, 'variable'), this.#selected(each.value_selector)]),
    );
  }

  #edge({ id, source, target, sourceHandle }: JsonObject, index: number): GraphEdge {
    const type = this.#types.get(String(source)) ?? '';
    return {
      id: typeof id === 'string' ? id : `edge-${index + 1}`,
      source: idOf(String(source)),
      target: idOf(String(target)),
      sourceHandle: handleOf(type, String(sourceHandle ?? 'source')),
    };
  }

  /** A list of names, as in [node, field]. */
  #selected(selector: Json | undefined): string {
    const source = this.#sourceOf(selector);
    return source === null ? '' : `{{${source}}}`;
  }

  #sourceOf(selector: Json | undefined): string | null {
    if (!Array.isArray(selector) || selector.length < 2) return null;
    return this.#source(selector.map(String) as [string, ...string[]]);
  }

  #source([node, first = '', ...rest]: readonly string[]): string {
    if (node === 'sys') return ['sys', first === 'conversation_id' ? 'session_id' : first, ...rest].join('.');
    const type = this.#types.get(node ?? '') ?? '';
    const name = OUTPUTS[type]?.[first] ?? first;
    const wanted = this.#wanted.get(idOf(node ?? '')) ?? new Set();
    this.#wanted.set(idOf(node ?? ''), wanted.add(name));
    return [idOf(node ?? ''), name, ...rest].join('.');
  }

  /** Texts refer to values as {{#node.field#}}. */
  #text(text: string): string {
    return text.replace(/\{\{#([\w.-]{1,200})#\}\}/g, (_, path: string) => `{{${this.#source(path.split('.'))}}}`);
  }

  #withWantedOutputs(node: GraphNode): GraphNode {
    if (node.type !== ('variable_assign' satisfies NodeType)) return node;
    const { output = null, ...values } = objectField(node.config, 'values');
    const names = this.#wanted.get(node.id) ?? new Set();
    const more = Object.fromEntries([...names].map((name) => [name, name === 'output' ? output : null]));
    return { ...node, config: { values: { ...values, output, ...more } } };
  }

  #report(nodeId: string, type: string, message: string): void {
    this.#unsupported.push({ nodeId: idOf(nodeId), type, message });
  }
}

function typeOf(node: JsonObject): string {
  return textField(objectField(node, 'data'), 'type');
}

/** Ids are times there; here they begin with a letter. */
function idOf(id: string): string {
  const clean = id.replace(/[^\w-]/g, '_').slice(0, 60);
  return /^[A-Za-z_]/.test(clean) ? clean : `n${clean}`;
}

function handleOf(type: string, handle: string): string {
  if (handle === 'fail-branch') return 'error';
  if (type === 'if-else') return handle === 'false' ? 'else' : handle;
  if (type === 'question-classifier') return handle;
  return DEFAULT_HANDLE;
}

function invalid(message: string): WorkflowRefused {
  return new WorkflowRefused('invalid_dsl', message);
}
