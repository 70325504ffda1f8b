import { listField } from '../graph/fields.ts';
import { toFile } from '../graph/files.ts';
import type { Json } from '../graph/graph.ts';
import { shownActions } from '../graph/people.ts';
import { textOf } from '../graph/references.ts';
import type { Cost, Failure } from './engine-events.ts';
import type { EndedStatus, EnginePayloads, Place, ShownFile, ShownUsage, Wait } from './event-payloads.ts';
import type { Activity } from './frame.ts';
import type { RunFailure } from './node-outcomes.ts';

/** The members that say which node an event is about. */
export function placeOf({ key, node, index, predecessorId }: Activity): Place {
  return {
    node_id: node.id,
    node_type: node.type,
    title: node.title,
    execution_key: key,
    index,
    predecessor_node_id: predecessorId,
  };
}

/** The description of an approval or a form, for clients that show it to a person. */
export function waitPayload({ node, config, untilMs }: Activity): Wait {
  return {
    message: config.message ?? '',
    fields: [...listField(config, 'fields')],
    actions: shownActions({ ...node, config }).map((action) => ({ ...action })),
    expires_at: new Date(untilMs).toISOString(),
  };
}

/** Another attempt of a node, after a pause. */
export function retryPayload(activity: Activity, failure: Failure, delayMs: number): EnginePayloads['retry'] {
  const { maxAttempts } = activity.node.retry;
  const attempts = { attempt: activity.attempt, max_attempts: maxAttempts, delay_ms: delayMs };
  return { ...placeOf(activity), scope: 'node', ...failure, ...attempts };
}

export function finishedPayload(
  activity: Activity,
  status: EndedStatus,
  nowMs: number,
): EnginePayloads['node_finished'] {
  const { startedMs, attempt, cost } = activity;
  return { ...placeOf(activity), status, elapsed_ms: nowMs - startedMs, attempts: attempt, ...usageOf(cost) };
}

/** The failure of a run; left out if it succeeded. */
export function shownFailure(failure: RunFailure | null): Pick<EnginePayloads['workflow_finished'], 'failure'> {
  return failure === null ? {} : { failure: { code: failure.code, message: failure.message, node_id: failure.nodeId } };
}

/** The usage of an event; left out where nothing was used up. */
export function usageOf({ promptTokens, completionTokens, krw, sandboxSeconds }: Cost): { usage?: ShownUsage } {
  if (promptTokens + completionTokens + krw + sandboxSeconds === 0) return {};
  const total_tokens = promptTokens + completionTokens;
  const tokens = { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens };
  return { usage: { ...tokens, krw, sandbox_seconds: sandboxSeconds } };
}

/** A file of an answer, for clients. */
export function toShownFile(value: Json): ShownFile {
  const file = toFile(value);
  if (file === null) return { url: textOf(value) };
  const { url, name, mime_type: mediaType, size } = file;
  return { url, name, media_type: mediaType, size };
}
