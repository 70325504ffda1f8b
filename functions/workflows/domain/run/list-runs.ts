import type { RunHead } from './run.ts';
import type { Runs } from './run-ports.ts';

/** The listed runs; absent members exclude none. */
export interface RunFilter {
  readonly status?: RunHead['status'] | undefined;
  /** Null: of a draft. */
  readonly version?: number | null | undefined;
  /** A kind of triggers, or the id of one. */
  readonly trigger?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export interface RunPage {
  readonly runs: readonly RunHead[];
  /** Where the next page starts; null where there is none. */
  readonly nextCursor: string | null;
}

const BATCH = 100;
/** A filter that fits few runs reads no more of them for one page. */
const MAX_READ = 1_000;

/** A page of a workflow's runs, newest first. @param after id of the run that the page starts behind. */
export async function listRuns(
  { workspaceId, workflowId }: Pick<RunHead, 'workspaceId' | 'workflowId'>,
  filter: RunFilter,
  { limit, after }: { readonly limit: number; readonly after: string | null },
  { runs }: { readonly runs: Pick<Runs, 'list' | 'firstIdAfter'> },
): Promise<RunPage> {
  const found: RunHead[] = [];
  const { fromMs = 0, toMs } = filter;
  let cursor = after ?? (toMs === undefined ? null : runs.firstIdAfter(toMs));
  const isPlain = Object.values(filter).every((value) => value === undefined);
  for (let read = 0; read < MAX_READ; ) {
    const batch = await runs.list(workspaceId, workflowId, isPlain ? limit + 1 : BATCH, cursor);
    for (const head of batch) {
      if (head.createdAtMs < fromMs) return { runs: found, nextCursor: null };
      if (found.length === limit) return { runs: found, nextCursor: cursor };
      cursor = head.runId;
      if (fits(head, filter)) found.push(head);
    }
    read += batch.length;
    if (batch.length < (isPlain ? limit + 1 : BATCH)) return { runs: found, nextCursor: null };
  }
  return { runs: found, nextCursor: cursor };
}

function fits(head: RunHead, { status, version, trigger, toMs = Number.POSITIVE_INFINITY }: RunFilter): boolean {
  return (
    (status === undefined || head.status === status) &&
    (version === undefined || head.workflowVersion === version) &&
    (trigger === undefined || head.trigger.kind === trigger || head.trigger.caller.id === trigger) &&
    head.createdAtMs <= toMs
  );
}
