import type * as z from 'zod';
import type { Language } from '../shared/language.ts';
import { type Cost, NO_COST, type PendingDecision } from './domain/engine/engine-events.ts';
import { listField } from './domain/graph/fields.ts';
import type { GraphNode, JsonObject } from './domain/graph/graph.ts';
import type { GraphIssue } from './domain/graph/graph-issue.ts';
import { formActions, isForm, shownActions } from './domain/graph/people.ts';
import { sizeOf } from './domain/graph/references.ts';
import type { ImportNote } from './domain/import/import-note.ts';
import { formUrl } from './domain/run/form-links.ts';
import type { RunHead } from './domain/run/run.ts';
import type { NodeView, RunView } from './domain/run/run-view.ts';
import type { Workflow, WorkflowVersion } from './domain/workflow.ts';
import type { formShown } from './form-routes.ts';
import { toGraphResponse } from './graph-wire.ts';
import type { run, runSummary, validation, workflow, workflowSummary, workflowVersion } from './schemas.ts';
import { ShownValues } from './shown-values.ts';

export function toSummaryResponse(stored: Workflow): z.output<typeof workflowSummary> {
  const { workflowId, name, description, publishedVersion, createdAt, updatedAt } = stored;
  return {
    id: workflowId,
    name,
    description,
    published_version: publishedVersion,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

export function toWorkflowResponse(stored: Workflow): z.output<typeof workflow> {
  return { ...toSummaryResponse(stored), graph: toGraphResponse(stored.draft) };
}

export function etagOf({ version }: Pick<Workflow, 'version'>): Readonly<Record<string, string>> {
  return { etag: `"v${version}"` };
}

/** @returns undefined for any version. */
export function expectedVersionOf(ifMatch: string | undefined): number | undefined {
  return ifMatch === undefined || ifMatch === '*' ? undefined : Number(/\d+/.exec(ifMatch)?.[0]);
}

export function toIssueResponse(
  { nodeId, field, code, message, korean, severity }: GraphIssue,
  language: Language,
): z.output<typeof validation>['issues'][number] {
  return { node_id: nodeId, field, code, message: language === 'ko' ? korean : message, severity };
}

/** An import's notes on its workflow, by the remaining work. */
export function toNotesResponse(notes: readonly ImportNote[], language: Language) {
  const of = (...kinds: readonly ImportNote['kind'][]) =>
    notes
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ nodeId, type, title, code, message, korean }) => ({
        node_id: nodeId,
        type,
        title,
        code,
        message: language === 'ko' ? korean : message,
      }));
  return { unsupported: of('missing', 'changed', 'feature'), to_connect: of('connect'), emptied: of('empty') };
}

export function toVersionResponse(
  { number, note, publishedAt, graph }: WorkflowVersion,
  { withGraph }: { readonly withGraph: boolean },
): z.output<typeof workflowVersion> {
  return { number, note, published_at: publishedAt, ...(withGraph && { graph: toGraphResponse(graph) }) };
}

export function toRunSummary(head: RunHead): z.output<typeof runSummary> {
  const { runId, workflowId, workflowVersion, trigger, status, createdAtMs, finishedAtMs, ending } = head;
  const { priority = 'normal' } = head;
  const failure = ending?.failure ?? null;
  return {
    id: runId,
    workflow_id: workflowId,
    workflow_version: workflowVersion,
    status,
    priority,
    trigger: toTrigger(trigger),
    created_at: isoTime(createdAtMs),
    finished_at: finishedAtMs === null ? null : isoTime(finishedAtMs),
    failure: failure && { code: failure.code, message: failure.message, node_id: failure.nodeId },
    usage: toUsage(ending?.cost ?? NO_COST),
  };
}

function toTrigger({ kind, caller, plannedAtMs, retryOf }: RunHead['trigger']): z.output<typeof runSummary>['trigger'] {
  return {
    type: kind,
    id: caller.kind === 'trigger' ? caller.id : null,
    retry_of: retryOf ?? null,
    planned_at: plannedAtMs === undefined ? null : isoTime(plannedAtMs),
  };
}

/** Characters of the values in one response, which has at most 6 MB. */
const MAX_SHOWN_LENGTH = 1_500_000;

/** @param baseUrl what a client writes before a path to reach this service. */
export function toRunResponse(head: RunHead, view: RunView, baseUrl: string): z.output<typeof run> {
  const shown = new ShownValues(MAX_SHOWN_LENGTH - view.answer.length - sizeOf(view.outputs));
  return {
    ...toRunSummary(head),
    answer: view.answer,
    outputs: { ...view.outputs },
    pending_approvals: view.pending
      .filter(({ node }) => !isForm(node))
      .map((pending) => ({ ...toPending(pending), url: formUrl(head, pending.key, baseUrl) })),
    pending_forms: view.pending
      .filter(({ node }) => isForm(node))
      .map((pending) => ({
        ...toPending(pending),
        fields: toFormFields(pending.node),
        actions: formActions(pending.node).map((action) => ({ ...action })),
        url: formUrl(head, pending.key, baseUrl),
      })),
    nodes: view.nodes.map((node) => toNodeResponse(node, shown)),
    nodes_omitted: view.omitted,
  };
}

/** An approval or a form, as its link shows it. */
export function toFormResponse({ node, message, untilMs }: PendingDecision): z.output<typeof formShown> {
  const actions = shownActions(node).map((action) => ({ ...action }));
  return { title: node.title, message, fields: toFormFields(node), actions, expires_at: isoTime(untilMs) };
}

function toFormFields({ config }: GraphNode) {
  return listField(config, 'fields').map((field) => ({ ...(field as JsonObject) }));
}

function toPending({ key, node, message, untilMs }: PendingDecision) {
  return { execution_key: key, title: node.title, message, expires_at: isoTime(untilMs) };
}

function toNodeResponse(view: NodeView, shown: ShownValues): z.output<typeof run>['nodes'][number] {
  const { executionKey, nodeId, nodeType, title, index, status, failure } = view;
  const outputs = view.outputs && shown.take(view.outputs);
  const inputs = view.inputs && shown.take(view.inputs);
  return {
    execution_key: executionKey,
    node_id: nodeId,
    node_type: nodeType,
    title,
    index,
    status: status as 'running',
    inputs: inputs && { ...inputs },
    outputs: outputs && { ...outputs },
    values_omitted: inputs !== view.inputs || outputs !== view.outputs,
    failure: failure && { ...failure },
    elapsed_ms: view.elapsedMs,
    attempts: view.attempts,
    usage: view.usage as z.output<typeof run>['nodes'][number]['usage'],
  };
}

export function toUsage({
  promptTokens,
  completionTokens,
  krw,
  sandboxSeconds,
}: Cost): z.output<typeof runSummary>['usage'] {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    krw,
    sandbox_seconds: sandboxSeconds,
  };
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
