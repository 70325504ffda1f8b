import type { Graph, Json, JsonObject } from '../graph/graph.ts';
import { type FieldType, startFields } from '../graph/node-fields.ts';
import { type Lookup, memberAt, resolved, TooLarge } from '../graph/references.ts';
import { inText } from '../graph/value-texts.ts';
import {
  type CheckedRun,
  checkedRun,
  type QueuePorts,
  queueRun,
  type RunRequest,
  recordRefused,
  type StartPorts,
} from '../run/begin-run.ts';
import { graphToRun } from '../run/graph-to-run.ts';
import type { RunHead, RunId } from '../run/run.ts';
import { RunKeyTaken, type Runs } from '../run/run-ports.ts';
import { RunRefused } from '../run/run-refused.ts';
import type { Workflows } from '../workflow-ports.ts';
import type { Trigger } from './trigger.ts';

/** One time that a trigger starts a run. */
export interface Firing {
  /** The same for repetitions of an event, which start one run. Null: each time is new. */
  readonly key: string | null;
  /** Values that the inputs of the trigger may refer to. */
  readonly values: JsonObject;
  readonly plannedAtMs?: number;
}

export interface TriggeredPorts extends Omit<QueuePorts, 'runs'>, StartPorts {
  readonly workflows: Workflows;
  readonly runs: Pick<Runs, 'create' | 'findByKey'>;
}

export interface Triggered extends RunId {
  /** False where the firing has started its run before. */
  readonly isNew: boolean;
}

/** Queues the run of a firing. @throws RunRefused, WorkflowRefused */
export async function queueTriggered(trigger: Trigger, firing: Firing, ports: TriggeredPorts): Promise<Triggered> {
  return begun(trigger, firing, ports, (request) => queueRun(checkedRun(request, ports), ports));
}

/**
 * As `queueTriggered`; inputs that do not fit become a failed run, since no client waits for a response.
 * @throws WorkflowRefused
 */
export async function queueUnwatched(trigger: Trigger, firing: Firing, ports: TriggeredPorts): Promise<Triggered> {
  return begun(trigger, firing, ports, async (request) => {
    let checked: CheckedRun;
    try {
      checked = checkedRun(request, ports);
    } catch (error) {
      if (!(error instanceof RunRefused)) throw error;
      return recordRefused(request, error, ports);
    }
    return queueRun(checked, ports);
  });
}

async function begun(
  trigger: Trigger,
  { key, values, plannedAtMs }: Firing,
  ports: TriggeredPorts,
  begin: (request: RunRequest) => Promise<RunHead>,
): Promise<Triggered> {
  const { workspaceId, workflowId, triggerId, source, priority = 'normal' } = trigger;
  const known = key === null ? null : await ports.runs.findByKey(workspaceId, workflowId, key);
  if (known) return { workspaceId, runId: known.runId, isNew: false };
  const chosen = await graphToRun(trigger, 'published', ports);
  const caller = { kind: 'trigger', id: triggerId } as const;
  const kind = source.kind;
  try {
    const { runId } = await begin({
      ...{ workspaceId, workflowId, ...chosen, ...broughtInputs(trigger, values, chosen.graph) },
      ...{ priority, files: [], history: [], key: key === null ? null : { key, bodyHash: '' } },
      trigger: {
        kind,
        caller,
        applicationId: null,
        sessionId: null,
        ...(plannedAtMs !== undefined && { plannedAtMs }),
      },
    });
    return { workspaceId, runId, isNew: true };
  } catch (error) {
    const other = error instanceof RunKeyTaken && key && (await ports.runs.findByKey(workspaceId, workflowId, key));
    if (!other) throw error;
    return { workspaceId, runId: other.runId, isNew: false };
  }
}

/**
 * The inputs that the trigger makes of its values.
 * @throws RunRefused
 */
function broughtInputs({ inputs, query }: Trigger, values: JsonObject, graph: Graph) {
  const lookup: Lookup = ({ sources }) => {
    for (const { node, path } of sources) {
      const found = memberAt(values[node] ?? null, path);
      if (found !== null) return found;
    }
    return null;
  };
  const start = graph.nodes.find(({ type }) => type === 'start');
  const types = new Map(start && startFields(start).map(({ name, type }) => [name, type]));
  try {
    const given = resolved(inputs, lookup, inText) as JsonObject;
    const fitting = Object.entries(given).map(([name, value]) => [name, fitted(value, types.get(name))]);
    return { inputs: Object.fromEntries(fitting) as JsonObject, query: inText(resolved(query, lookup, inText)) };
  } catch (error) {
    if (error instanceof TooLarge)
      throw new RunRefused('inputs_too_large', `What the trigger brings ${error.message}.`);
    throw error;
  }
}

/** Senders write numbers as texts, and texts as numbers: both are meant. */
function fitted(value: Json, type: FieldType | undefined): Json {
  if ((type === 'text' || type === 'select') && (typeof value === 'number' || typeof value === 'boolean'))
    return String(value);
  if (type === 'number' && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  return value;
}
