import { boundedJson } from '../../../../shared/bounded-json.ts';
import type { Phrase } from '../../../../shared/phrases.ts';
import { listField, objectField, textField } from '../../graph/fields.ts';
import {
  DEFAULT_HANDLE,
  DEFAULT_SETTINGS,
  type EnvironmentVariable,
  type GraphEdge,
  type GraphNode,
  isObject,
  type Json,
  type JsonObject,
  MAX_ATTEMPTS,
  MAX_RETRY_DELAY_MS,
  NO_RETRY,
} from '../../graph/graph.ts';
import { mayFail, NODE_KINDS } from '../../graph/node-types.ts';
import type { DraftedVariable, GraphDraft } from '../../seal-environment.ts';
import { WorkflowRefused } from '../../workflow-refused.ts';
import { type ImportedGraph, type ImportNote, type NoteKind, noteOf } from '../import-note.ts';
import { noted } from '../note-texts.ts';
import type { Converted, Converter } from './conversion.ts';
import { formHandle, humanInput } from './convert-form.ts';
import { httpRequest } from './convert-http.ts';
import { agent, knowledgeRetrieval, llm, parameterExtractor, questionClassifier } from './convert-model-nodes.ts';
import {
  aggregator,
  answer,
  assigner,
  code,
  documentExtractor,
  end,
  ifElse,
  iteration,
  listOperator,
  loop,
  loopEnd,
  template,
} from './convert-plain-nodes.ts';
import { conversationVariables, start } from './convert-start.ts';
import { tool } from './convert-tools.ts';
import { convertTriggers } from './convert-triggers.ts';
import { type DifyGraph, type DifyNode, difyGraph, valueType } from './dify-file.ts';
import { featureNotes } from './feature-notes.ts';
import { fromPrompt } from './from-prompt.ts';
import { idOf, Names } from './names.ts';
import { isStart, type PrunedGraph, prunedGraph } from './prune-graph.ts';
import { withoutDeadReferences } from './repair-graph.ts';
import { numberOf } from './values.ts';
import { versionNotes } from './version-notes.ts';

const CONVERTERS: Readonly<Record<string, Converter>> = {
  start,
  end,
  answer,
  llm,
  agent,
  tool,
  code,
  iteration,
  loop,
  assigner,
  'loop-end': loopEnd,
  'if-else': ifElse,
  'question-classifier': questionClassifier,
  'knowledge-retrieval': knowledgeRetrieval,
  'parameter-extractor': parameterExtractor,
  'http-request': httpRequest,
  'template-transform': template,
  'variable-aggregator': aggregator,
  'variable-assigner': aggregator,
  'list-operator': listOperator,
  'document-extractor': documentExtractor,
  'human-input': humanInput,
};
/** Nodes that nothing leads to are left out: a graph has fewer. */
const MAX_FILE_NODES = 2_000;
const GRAPH_MODES = ['workflow', 'advanced-chat'];
const PROMPT_MODES = ['chat', 'agent-chat', 'completion'];

/** The graph of a Dify application. An application without one becomes a graph of one agent. @throws WorkflowRefused 'invalid_dsl' */
export function fromDify(document: Json): ImportedGraph {
  if (!isObject(document)) throw invalid('The file is not a Dify DSL: it must be a mapping with app and workflow.');
  const builder = otherBuilder(document);
  if (builder) throw invalid(`The file is ${builder}, and no Dify DSL. Only files of Dify can be imported.`);
  const app = objectField(document, 'app');
  const mode = textField(app, 'mode');
  if (!GRAPH_MODES.includes(mode) && !PROMPT_MODES.includes(mode))
    throw invalid(
      `app.mode is ${JSON.stringify(mode)}. Applications of the modes ${[...GRAPH_MODES, ...PROMPT_MODES].join(', ')} can be imported.`,
    );
  const name = textField(app, 'name').trim().slice(0, 100) || 'Imported workflow';
  const description = textField(app, 'description').slice(0, 1_000);
  if (PROMPT_MODES.includes(mode) && !isObject(document.workflow))
    return { name, description, ...fromPrompt(objectField(document, 'model_config'), mode) };
  const nodes = listField(objectField(objectField(document, 'workflow'), 'graph'), 'nodes').length;
  if (nodes > MAX_FILE_NODES)
    throw invalid(`workflow.graph.nodes has ${nodes} entries, and files of up to ${MAX_FILE_NODES} can be imported.`);
  const given = difyGraph(document);
  if (given.nodes.length === 0) throw invalid('workflow.graph.nodes is empty. Export the application once more.');
  if (!given.nodes.some(isStart)) throw invalid('workflow.graph.nodes has no start. Export the application once more.');
  const imported = new GraphImport(given).result();
  const features = featureNotes(objectField(objectField(document, 'workflow'), 'features'));
  return { name, description, ...imported, notes: [...versionNotes(document), ...imported.notes, ...features] };
}

class GraphImport {
  readonly #given: DifyGraph;
  readonly #pruned: PrunedGraph;
  readonly #notes: ImportNote[] = [];
  readonly #secrets: DraftedVariable[] = [];

  constructor(given: DifyGraph) {
    this.#given = given;
    this.#pruned = prunedGraph(given);
  }

  result(): Pick<ImportedGraph, 'graph' | 'notes' | 'triggers'> {
    const conversation = conversationVariables(this.#given.conversation);
    const environment = this.#environment();
    const triggers = convertTriggers(this.#given, (node, kind, what) => this.#note(kind, node, what));
    const nodes = this.#pruned.nodes.map((node) => this.#node(node));
    const filled = [...nodes, ...this.#emptyBodies(nodes)];
    const all = [...environment, ...this.#secrets];
    const graph: GraphDraft = {
      version: 1,
      nodes: filled,
      edges: this.#edges(),
      settings: { ...DEFAULT_SETTINGS, textStyle: 'dify' },
      ...(conversation.length > 0 && { conversation }),
      ...(all.length > 0 && { environment: all }),
    };
    const repaired = withoutDeadReferences(graph, (nodeId, what, reference) =>
      this.#note(this.#isEmptyThere(reference) ? 'empty' : 'changed', this.#byId(nodeId), what),
    );
    return { graph: repaired, notes: this.#notes, triggers };
  }

  /** Models and agents give out more there than here; what other nodes do not have here, they do not have there. */
  #isEmptyThere(reference: string): boolean {
    const producer = this.#byId(/^\{\{([\w-]+)/.exec(reference)?.[1] ?? '');
    return producer?.type !== 'agent' && producer?.type !== 'llm';
  }

  #byId(nodeId: string): DifyNode | null {
    return this.#pruned.nodes.find(({ id }) => idOf(id) === nodeId) ?? null;
  }

  #note(kind: NoteKind, node: DifyNode | null, what: Phrase): void {
    const of = { kind, nodeId: node && idOf(node.id), type: node?.type ?? 'app', title: node?.title ?? '' };
    const note = noteOf(what, of);
    const isKnown = this.#notes.some((each) => each.nodeId === note.nodeId && each.message === note.message);
    if (!isKnown) this.#notes.push(note);
  }

  #environment(): readonly DraftedVariable[] {
    const seen = new Set<string>();
    return this.#given.environment.flatMap((each): DraftedVariable[] => {
      const name = textField(each, 'name');
      if (name === '' || seen.has(name)) return [];
      seen.add(name);
      if (each.value_type !== 'secret')
        return [{ name, type: valueType(each.value_type) as 'text', value: each.value ?? null }];
      const value = textField(each, 'value');
      if (value.length < 4) {
        this.#note('connect', null, noted('secret', { name }));
        return [{ name, type: 'secret', sealed: null } satisfies EnvironmentVariable];
      }
      return [{ name, type: 'secret', value }];
    });
  }

  #node(node: DifyNode): GraphNode {
    const { data, id, title, parent, position } = node;
    const names = new Names(this.#pruned.nodes, this.#given.nodes, this.#variables(), (path, why) =>
      this.#note('empty', node, noted('dead_reference', { path, why })),
    );
    const converter = isStart(node) ? start : CONVERTERS[node.type];
    const converted: Converted = converter
      ? converter(node, {
          names,
          note: (kind, what) => this.#note(kind, node, what),
          secret: (value) => this.#secret(value),
        })
      : this.#unknown(node);
    return {
      id: idOf(id),
      type: converted.type,
      parentId: parent === null ? null : idOf(parent),
      title,
      inputs: converted.inputs ?? {},
      config: converted.config,
      ...this.#failure(node, converted),
      retry: retryOf(objectField(data, 'retry_config'), converted),
      position,
    };
  }

  #variables() {
    const types = this.#given.conversation.map(
      (each) => [textField(each, 'name'), textField(each, 'value_type')] as const,
    );
    return {
      conversation: new Map(types),
      env: new Set(this.#given.environment.map((each) => textField(each, 'name'))),
    };
  }

  #unknown(node: DifyNode): Converted {
    this.#note('missing', node, noted('node_type', { type: JSON.stringify(node.type) }));
    return { type: 'variable_assign', config: { values: { output: null } } };
  }

  #failure({ data, type }: DifyNode, converted: Converted): Pick<GraphNode, 'onError' | 'defaultOutput'> {
    if (!mayFail(converted)) return { onError: 'fail', defaultOutput: null };
    if (data.error_strategy === 'fail-branch') return { onError: 'branch', defaultOutput: null };
    if (data.error_strategy !== 'default-value') return { onError: 'fail', defaultOutput: null };
    const values = listField(data, 'default_value')
      .filter(isObject)
      .map(
        (each) => [OUTPUT_NAMES[type]?.[textField(each, 'key')] ?? textField(each, 'key'), defaultValue(each)] as const,
      );
    return { onError: 'default', defaultOutput: Object.fromEntries(values) };
  }

  #secret(value: string): string {
    const known = this.#secrets.find((each) => 'value' in each && each.value === value);
    if (value.length < 4) return value;
    if (known) return `{{env.${known.name}}}`;
    const name = `api_key_${this.#secrets.length + 1}`;
    this.#secrets.push({ name, type: 'secret', value });
    return `{{env.${name}}}`;
  }

  /** Iterations and loops without a node that runs: there they do nothing. */
  #emptyBodies(nodes: readonly GraphNode[]): readonly GraphNode[] {
    return nodes
      .filter(({ type, id }) => NODE_KINDS[type].nature === 'body' && !nodes.some(({ parentId }) => parentId === id))
      .map(({ id, title }) => {
        this.#note('empty', this.#byId(id), noted('empty_body'));
        return {
          ...{ id: `${id}_body`.slice(0, 64), type: 'variable_assign', parentId: id, title: `${title} (empty)` },
          ...{
            inputs: {},
            config: { values: {} },
            onError: 'fail',
            defaultOutput: null,
            retry: NO_RETRY,
            position: null,
          },
        } as GraphNode;
      });
  }

  #edges(): readonly GraphEdge[] {
    const types = new Map(this.#pruned.nodes.map(({ id, type }) => [id, type]));
    const seen = new Set<string>();
    return this.#pruned.edges.flatMap(({ source, target, handle }, index) => {
      const edge = {
        id: `edge-${index + 1}`,
        source: idOf(source),
        target: idOf(target),
        sourceHandle: handleOf(types.get(source) ?? '', handle),
      };
      const key = JSON.stringify([edge.source, edge.sourceHandle, edge.target]);
      if (seen.has(key)) return [];
      seen.add(key);
      return [edge];
    });
  }
}

const OUTPUT_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'http-request': { body: 'text', status_code: 'status' },
  'template-transform': { output: 'text' },
  'knowledge-retrieval': { result: 'documents' },
};

function defaultValue({ type, value }: JsonObject): Json {
  if (type !== 'string' && typeof value === 'string') {
    try {
      return boundedJson(value) as Json;
    } catch {
      return value;
    }
  }
  return value ?? null;
}

function retryOf(config: JsonObject, { type }: Converted): GraphNode['retry'] {
  const { retry_enabled, max_retries, retry_interval } = config;
  if (retry_enabled !== true || NODE_KINDS[type].nature !== 'effect') return NO_RETRY;
  const retries = Math.max(0, Math.floor(numberOf(max_retries) ?? 3));
  const delay = Math.max(0, Math.floor(numberOf(retry_interval) ?? 1_000));
  if (retries === 0) return NO_RETRY;
  return {
    maxAttempts: Math.min(MAX_ATTEMPTS, retries + 1),
    delayMs: Math.min(MAX_RETRY_DELAY_MS, delay),
    isFixed: true,
  };
}

function handleOf(type: string, handle: string): string {
  if (handle === 'fail-branch') return 'error';
  if (type === 'if-else') return handle === 'false' ? 'else' : handle;
  if (type === 'question-classifier') return handle;
  if (type === 'human-input') return formHandle(handle);
  return DEFAULT_HANDLE;
}

/** The builder that wrote a file; null if unknown. */
function otherBuilder(document: JsonObject): string | null {
  if (Object.hasOwn(document, 'app')) return null;
  const nodes = listField(document, 'nodes').filter(isObject);
  if (isObject(document.connections) || nodes.some(({ type }) => String(type).startsWith('n8n')))
    return 'a workflow of n8n';
  if (nodes.some(({ flowNodeType }) => flowNodeType !== undefined)) return 'a workflow of FastGPT';
  if (nodes.some(({ data }) => isObject(data) && Array.isArray(data.inputAnchors))) return 'a flow of Flowise';
  if (isObject(document.graphs)) return 'a configuration of LangGraph';
  if (isObject(document.services)) return 'a Docker Compose file';
  return null;
}

function invalid(message: string): WorkflowRefused {
  return new WorkflowRefused('invalid_dsl', message);
}
