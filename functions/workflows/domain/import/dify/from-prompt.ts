import type { Phrase } from '../../../../shared/phrases.ts';
import { listField, objectField, textField } from '../../graph/fields.ts';
import {
  DEFAULT_HANDLE,
  DEFAULT_SETTINGS,
  type GraphEdge,
  type GraphNode,
  isObject,
  type JsonObject,
  NO_RETRY,
} from '../../graph/graph.ts';
import { type ImportedGraph, type ImportNote, type NoteKind, noteOf } from '../import-note.ts';
import { noted } from '../note-texts.ts';
import type { Converted } from './conversion.ts';
import { agentWithTools, modelParameters, noteModel } from './convert-model-nodes.ts';
import { start } from './convert-start.ts';
import { featureNotes } from './feature-notes.ts';
import { Names } from './names.ts';
import { numberOf } from './values.ts';

/**
 * An application with a prompt, and tools where it is an agent, as a graph: a start with its variables, a search of its knowledge, an agent that
 * knows the conversation, and its answer. Of a completion application the prompt is the question, and nothing is remembered.
 */
export function fromPrompt(config: JsonObject, mode: string): Pick<ImportedGraph, 'graph' | 'notes'> {
  const notes: ImportNote[] = [...featureNotes(config)];
  const noteOn =
    (nodeId: string, title: string) =>
    (kind: NoteKind, what: Phrase): void =>
      void notes.push(noteOf(what, { kind, nodeId, type: mode, title }));
  const note = noteOn('agent', 'Agent');
  const { fields, startNode } = startOf(config, noteOn('start', 'Start'));
  const knowledge = knowledgeOf(config, fields, noteOn('knowledge', 'Knowledge'));
  const agent = agentOf(config, mode, { fields, note });
  const chain: readonly GraphNode[] = [
    toNode('start', 'Start', 0, startNode),
    ...(knowledge ? [toNode('knowledge', 'Knowledge', 300, knowledge)] : []),
    toNode('agent', 'Agent', 600, {
      ...agent,
      config: { ...agent.config, ...(knowledge && { passages: '{{knowledge.documents}}' }) },
    }),
    toNode('answer', 'Answer', 900, { type: 'answer', config: { text: '{{agent.text}}' } }),
  ];
  const edges = chain.slice(1).map(
    ({ id }, index): GraphEdge => ({
      id: `${chain[index]!.id}-${id}`,
      source: chain[index]!.id,
      target: id,
      sourceHandle: DEFAULT_HANDLE,
    }),
  );
  return { graph: { version: 1, nodes: chain, edges, settings: { ...DEFAULT_SETTINGS, textStyle: 'dify' } }, notes };
}

type Note = (kind: NoteKind, what: Phrase) => void;
type Fields = ReadonlySet<string>;

function startOf(config: JsonObject, note: Note): { readonly fields: Fields; readonly startNode: Converted } {
  const variables = listField(config, 'user_input_form')
    .filter(isObject)
    .flatMap((each) => Object.entries(each))
    .map(([type, field]): JsonObject => ({ ...(isObject(field) ? field : {}), type }));
  const startNode = start(
    { id: 'start', type: 'start', title: 'Start', data: { variables }, parent: null, position: null },
    {
      names: new Names([], [], { conversation: new Map(), env: new Set() }, () => undefined),
      note,
      secret: (value) => value,
    },
  );
  return { fields: new Set(variables.map((field) => textField(field, 'variable'))), startNode };
}

/** Fields are written as {{name}} there; other braces are text. */
function withFields(text: string, fields: Fields): string {
  return text.replace(/\{\{([^{}\n]{1,100})\}\}/g, (braces, name: string) => {
    const field = name.trim();
    if (fields.has(field)) return `{{start.${field}}}`;
    return field === '#query#' ? '{{sys.query}}' : `{{${braces}}}`;
  });
}

/** The search whose passages the agent gets with each question. */
function knowledgeOf(config: JsonObject, fields: Fields, note: Note): Converted | null {
  const settings = objectField(config, 'dataset_configs');
  if (listField(objectField(settings, 'datasets'), 'datasets').length === 0) return null;
  note('connect', noted('knowledge'));
  const variable = textField(config, 'dataset_query_variable');
  const topK = numberOf(settings.top_k);
  return {
    type: 'knowledge_search',
    config: {
      query: fields.has(variable) ? `{{start.${variable}}}` : '{{sys.query}}',
      knowledge_base_ids: [],
      ...(topK !== null && { top_k: Math.max(1, Math.min(50, Math.floor(topK))) }),
    },
  };
}

function agentOf(
  config: JsonObject,
  mode: string,
  { fields, note }: { readonly fields: Fields; readonly note: Note },
): Converted {
  const model = objectField(config, 'model');
  noteModel({ note }, model);
  const prompt = withFields(textField(config, 'pre_prompt'), fields);
  const isCompletion = mode === 'completion';
  if (config.prompt_type === 'advanced') note('missing', noted('expert_prompt'));
  const agentMode = objectField(config, 'agent_mode');
  const isAgent = agentMode.enabled === true || mode === 'agent-chat';
  const tools = isAgent
    ? listField(agentMode, 'tools')
        .filter(isObject)
        .filter(({ enabled }) => enabled !== false)
    : [];
  const bases = tools.filter(({ dataset }) => isObject(dataset) && dataset.enabled !== false);
  if (bases.length > 0) note('connect', noted('agent_knowledge'));
  return agentWithTools(
    {
      prompt: isCompletion && prompt.trim() !== '' ? prompt : '{{sys.query}}',
      system: isCompletion ? '' : prompt,
      maxRounds: numberOf(agentMode.max_iteration),
      tools: [
        ...(bases.length > 0 ? [{ tool: 'knowledge', provider: 'knowledge' }] : []),
        ...tools
          .filter(({ dataset }) => !isObject(dataset))
          .map((tool) => ({
            tool: textField(tool, 'tool_name') || Object.keys(tool)[0] || 'tool',
            provider: textField(tool, 'provider_name') || textField(tool, 'provider_id'),
          })),
      ],
      config: {
        ...modelParameters(model),
        ...(!isCompletion && { with_history: true }),
        files: '{{sys.files}}',
        ...(agentMode.strategy === 'react' && { strategy: 'react' }),
      },
    },
    { note },
  );
}

function toNode(id: string, title: string, x: number, { type, config }: Converted): GraphNode {
  return {
    ...{ id, type, title, parentId: null, inputs: {}, config, onError: 'fail', defaultOutput: null },
    ...{ retry: NO_RETRY, position: { x, y: 0 } },
  };
}
