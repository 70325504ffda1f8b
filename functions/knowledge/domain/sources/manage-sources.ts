import type { Clock } from '../../../shared/ports/clock.ts';
import type { RandomBytes } from '../../../shared/ports/random-bytes.ts';
import { uuidV7 } from '../../../shared/uuid.ts';
import type { BaseId } from '../knowledge-base.ts';
import { KnowledgeRefused } from '../knowledge-refused.ts';
import { findBase, type ManageBasePorts, whileThere } from '../manage-knowledge.ts';
import { type KnowledgeSource, MAX_SOURCES, MAX_WORKSPACE_SOURCES, placeKey, type SourceId } from './source.ts';
import type { CrawlQueue, KnowledgeSources } from './source-ports.ts';

export interface ManageSourcePorts extends Pick<ManageBasePorts, 'bases'> {
  readonly sources: KnowledgeSources;
  readonly queue: CrawlQueue;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Called when a message could not be sent: the reconciler will send it. */
  readonly onUnsent: (base: BaseId, error: unknown) => void;
}

export type SourceDraft = Pick<KnowledgeSource, 'place' | 'maxDocuments' | 'schedule'>;

/** Adds a source, or gives that of the same place other settings, and has it crawled in the background. @throws KnowledgeRefused */
export async function addSource(
  base: BaseId,
  draft: SourceDraft,
  ports: ManageSourcePorts,
): Promise<{ readonly source: KnowledgeSource; readonly isNew: boolean }> {
  const nowMs = ports.clock.now();
  const [ofWorkspace] = await whileThere(base, ports.sources.ofWorkspace(base.workspaceId), ports);
  const there = ofWorkspace.filter((source) => !source.isRemoved);
  const ofBase = there.filter(({ baseId }) => baseId === base.baseId);
  const known = ofBase.find(({ place }) => placeKey(place) === placeKey(draft.place)) ?? null;
  if (known === null && (ofBase.length >= MAX_SOURCES || there.length >= MAX_WORKSPACE_SOURCES))
    throw new KnowledgeRefused(
      'too_many_sources',
      `A knowledge base may have ${MAX_SOURCES} sources, and a workspace ${MAX_WORKSPACE_SOURCES}. Remove one first.`,
    );
  const source: KnowledgeSource =
    known === null
      ? {
          workspaceId: base.workspaceId,
          baseId: base.baseId,
          sourceId: uuidV7(nowMs, ports.random),
          version: 1,
          ...draft,
          createdAt: new Date(nowMs).toISOString(),
          dueAtMs: nowMs,
          crawl: null,
          lastCrawl: null,
          isRemoved: false,
        }
      : { ...known, ...draft, version: known.version + 1, dueAtMs: nowMs, crawl: null };
  if (!(await ports.sources.save(source, known))) throw changed();
  await sendOrReport(base, ports);
  return { source, isNew: known === null };
}

/** @throws KnowledgeRefused */
export async function sourcesOf(
  base: BaseId,
  ports: Pick<ManageSourcePorts, 'bases' | 'sources'>,
): Promise<KnowledgeSource[]> {
  const [found] = await whileThere(base, ports.sources.ofBase(base), ports);
  return found.filter(({ isRemoved }) => !isRemoved);
}

/** @throws KnowledgeRefused */
export async function findSource(
  id: SourceId,
  ports: Pick<ManageSourcePorts, 'bases' | 'sources'>,
): Promise<KnowledgeSource> {
  const [found] = await whileThere(id, ports.sources.find(id), ports);
  if (found === null || found.isRemoved)
    throw new KnowledgeRefused('source_not_found', 'Source not found in this knowledge base. Check the id.');
  return found;
}

/** A crawl under way saves its source between two slices. */
const MAX_ATTEMPTS = 5;

/** Removes a source; its documents are removed in the background. @throws KnowledgeRefused */
export async function removeSource(id: SourceId, ports: Omit<ManageSourcePorts, 'random'>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (await ports.sources.save(...removed(await findSource(id, ports), ports.clock.now()))) break;
    if (attempt === MAX_ATTEMPTS) throw changed();
  }
  await sendOrReport(id, ports);
}

/** Has the sources of a base removed that is about to be removed itself. @throws KnowledgeRefused */
export async function removeSourcesOf(
  base: BaseId,
  ports: Pick<ManageSourcePorts, 'bases' | 'sources' | 'clock'>,
): Promise<void> {
  await findBase(base, ports);
  for (const source of await ports.sources.ofBase(base))
    if (!source.isRemoved) await ports.sources.save(...removed(source, ports.clock.now()));
}

function removed(source: KnowledgeSource, nowMs: number): [KnowledgeSource, KnowledgeSource] {
  return [{ ...source, version: source.version + 1, isRemoved: true, dueAtMs: nowMs, crawl: null }, source];
}

async function sendOrReport(
  base: BaseId,
  { queue, onUnsent }: Pick<ManageSourcePorts, 'queue' | 'onUnsent'>,
): Promise<void> {
  const { workspaceId } = base;
  await queue.send([{ workspaceId }]).catch((error: unknown) => onUnsent(base, error));
}

function changed(): KnowledgeRefused {
  return new KnowledgeRefused(
    'changed',
    'The source has changed since you read it. Read it again, and send your change once more.',
  );
}
