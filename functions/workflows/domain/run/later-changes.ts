import type { JsonObject } from '../graph/graph.ts';
import { restoredMachine } from './process-run.ts';
import { hasEnded } from './run.ts';
import type { Runs } from './run-ports.ts';

/** A run of a conversation that had not ended when a turn was stored, with the conversation variables as it had left them until then. */
export interface UnendedRun {
  readonly runId: string;
  readonly variables: JsonObject;
}

/** Conversation variables as a turn has left them, and the runs that may still change them. */
export interface KeptVariables {
  readonly variables: JsonObject;
  readonly unendedRuns: readonly UnendedRun[];
}

/** Of one conversation: the newest. */
export const MAX_UNENDED_RUNS = 10;

/**
 * Conversation variables with the changes that runs of earlier turns have made since, after people decided or filled in a form. A variable
 * that such a run has not changed keeps the value of the newest turn.
 */
export async function withLaterChanges(
  workspaceId: string,
  { variables, unendedRuns }: KeptVariables,
  { runs }: { readonly runs: Pick<Runs, 'read'> },
): Promise<KeptVariables> {
  const merged = { ...variables };
  const unended: UnendedRun[] = [];
  for (const { runId, variables: before } of unendedRuns) {
    const found = await runs.read({ workspaceId, runId });
    if (found === null) continue;
    const now = restoredMachine(found).conversation;
    for (const [name, value] of Object.entries(now))
      if (JSON.stringify(value) !== JSON.stringify(before[name])) merged[name] = value;
    if (!hasEnded(found.head)) unended.push({ runId, variables: now });
  }
  return { variables: merged, unendedRuns: unended };
}
