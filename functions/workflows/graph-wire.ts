import type * as z from 'zod';
import {
  DEFAULT_HANDLE,
  DEFAULT_SETTINGS,
  type Graph,
  type GraphNode,
  type Json,
  type JsonObject,
  NO_RETRY,
  type NodeType,
  type ValueType,
} from './domain/graph/graph.ts';
import type { DraftedVariable, GraphDraft } from './domain/seal-environment.ts';
import type { graph } from './schemas.ts';

type GraphBody = z.output<typeof graph>;

/** A graph as it was sent, with omissions filled in. Its validation reports the faults. */
export function toGraph(body: GraphBody): GraphDraft {
  const {
    nodes,
    edges,
    settings = {},
    conversation_variables: conversation,
    environment_variables: environment,
  } = body;
  return {
    version: 1,
    nodes: nodes.map(toNode),
    edges: edges.map(({ id, source, target, sourceHandle }, index) => ({
      id: id ?? `edge-${index + 1}`,
      source,
      target,
      sourceHandle: sourceHandle ?? DEFAULT_HANDLE,
    })),
    settings: {
      maxSteps: settings.max_steps ?? DEFAULT_SETTINGS.maxSteps,
      timeoutSeconds: settings.timeout_seconds ?? DEFAULT_SETTINGS.timeoutSeconds,
      concurrency: settings.concurrency ?? DEFAULT_SETTINGS.concurrency,
      ...(settings.max_runs !== undefined && { maxRuns: settings.max_runs }),
      ...(settings.max_krw !== undefined && { maxKrw: settings.max_krw }),
      ...(settings.max_tokens !== undefined && { maxTokens: settings.max_tokens }),
      ...(settings.text_style !== undefined && { textStyle: settings.text_style }),
    },
    ...(conversation && {
      conversation: conversation.map(({ name, type, default: initial, description }) => ({
        name,
        type: type as ValueType,
        initial: (initial ?? null) as Json,
        description: description ?? '',
      })),
    }),
    ...(environment && { environment: environment.map(toVariable) }),
  };
}

function toVariable({ name, type, value }: NonNullable<GraphBody['environment_variables']>[number]): DraftedVariable {
  if (type !== 'secret') return { name, type: type as 'text', value: (value ?? null) as Json };
  return typeof value === 'string' ? { name, type, value } : { name, type, sealed: null };
}

function toNode({ id, type, parent_id, position, data }: GraphBody['nodes'][number]): GraphNode {
  const { title, inputs = {}, config = {}, on_error = 'fail', default_output, retry } = data;
  return {
    id,
    type: type as NodeType,
    parentId: parent_id ?? null,
    title: title ?? id,
    inputs: inputs as JsonObject,
    config: config as JsonObject,
    onError: on_error,
    defaultOutput: (default_output ?? null) as JsonObject | null,
    retry: retry
      ? {
          maxAttempts: retry.max_attempts,
          delayMs: retry.delay_ms,
          ...(retry.backoff === 'fixed' && ({ isFixed: true } as const)),
        }
      : NO_RETRY,
    position: position ?? null,
  };
}

/** A graph as it is sent; what `toGraph` makes the same graph of. */
export function toGraphResponse({ nodes, edges, settings, conversation, environment }: Graph) {
  return {
    version: 1 as const,
    nodes: nodes.map(({ id, type, parentId, title, inputs, config, onError, defaultOutput, retry, position }) => ({
      id,
      type,
      ...(parentId !== null && { parent_id: parentId }),
      ...(position !== null && { position: { ...position } }),
      data: {
        title,
        inputs,
        config,
        on_error: onError,
        ...(defaultOutput !== null && { default_output: defaultOutput }),
        ...(retry.maxAttempts > 1 && {
          retry: {
            max_attempts: retry.maxAttempts,
            delay_ms: retry.delayMs,
            ...(retry.isFixed && { backoff: 'fixed' as const }),
          },
        }),
      },
    })),
    edges: edges.map((edge) => ({ ...edge })),
    settings: {
      max_steps: settings.maxSteps,
      timeout_seconds: settings.timeoutSeconds,
      concurrency: settings.concurrency,
      ...(settings.maxRuns !== undefined && { max_runs: settings.maxRuns }),
      ...(settings.maxKrw !== undefined && { max_krw: settings.maxKrw }),
      ...(settings.maxTokens !== undefined && { max_tokens: settings.maxTokens }),
      ...(settings.textStyle !== undefined && { text_style: settings.textStyle }),
    },
    ...(conversation && {
      conversation_variables: conversation.map(({ name, type, initial, description }) => ({
        name,
        type,
        default: initial,
        description,
      })),
    }),
    ...(environment && {
      environment_variables: environment.map((variable) =>
        variable.type === 'secret'
          ? { name: variable.name, type: variable.type, is_set: variable.sealed !== null }
          : { name: variable.name, type: variable.type, value: variable.value },
      ),
    }),
  };
}
