import type { Clock } from '../../../shared/ports/clock.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import { type CrawlPorts, crawlSource } from './crawl-source.ts';
import { dueSource, earliestDueMs } from './source.ts';
import type { CrawledWorkspaces, CrawlMessage, CrawlQueue, KnowledgeSources } from './source-ports.ts';

export interface CrawlWorkspacePorts extends CrawlPorts {
  readonly workspaces: CrawledWorkspaces;
  readonly sources: KnowledgeSources;
  readonly queue: CrawlQueue;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A workspace works on its sources for so long, then it queues behind the others. */
const SLICE_MS = 60_000;
/** Of the time of a function, so much is kept for storing how far it came. */
const RESERVE_MS = 30_000;

/**
 * Works on the source of a workspace that is due, for one slice. One run at a time works for a workspace: another one ends at once.
 * @param deadlineMs epoch time at which this run ends for certain.
 */
export async function crawlWorkspace(
  { workspaceId }: CrawlMessage,
  deadlineMs: number,
  ports: CrawlWorkspacePorts,
): Promise<void> {
  const { workspaces, sources, queue, clock, ids } = ports;
  const lease = await workspaces.acquire(workspaceId, ids.next('run'), clock.now(), deadlineMs);
  if (lease === null) return;
  let dueAtMs: number | null = clock.now();
  try {
    const source = dueSource(await sources.ofWorkspace(workspaceId), clock.now());
    const untilMs = Math.min(clock.now() + SLICE_MS, deadlineMs - RESERVE_MS);
    if (source !== null) await crawlSource(source, untilMs, ports);
    dueAtMs = earliestDueMs(await sources.ofWorkspace(workspaceId));
  } finally {
    await workspaces.release(lease, dueAtMs);
  }
  if (dueAtMs !== null && dueAtMs <= clock.now()) await queue.send([{ workspaceId }]);
}

/** Queues the workspaces with sources that are due, whether by their schedule or because a crash left them. */
export async function reconcileSources({
  workspaces,
  queue,
  clock,
}: Pick<CrawlWorkspacePorts, 'workspaces' | 'queue' | 'clock'>): Promise<void> {
  for await (const workspaceId of workspaces.due(clock.now())) await queue.send([{ workspaceId }]);
}
