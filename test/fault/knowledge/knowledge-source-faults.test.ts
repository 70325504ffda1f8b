import { afterAll, beforeAll, expect, it } from 'vitest';
import { DynamoSourcePages, DynamoSources } from '../../../functions/adapters/knowledge/sources/dynamo-sources.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { createBase, removeBase } from '../../../functions/knowledge/domain/manage-knowledge.ts';
import { crawlWorkspace, reconcileSources } from '../../../functions/knowledge/domain/sources/crawl-workspace.ts';
import {
  addSource,
  removeSource,
  removeSourcesOf,
  sourcesOf,
} from '../../../functions/knowledge/domain/sources/manage-sources.ts';
import type { Schedule } from '../../../functions/knowledge/domain/sources/source.ts';
import type { CrawledWeb, CrawlMessage, WebAnswer } from '../../../functions/knowledge/domain/sources/source-ports.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { instantBackoff, messageList } from '../../helpers/fakes.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { knowledgeFlow } from '../../helpers/knowledge-flow.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;
const LEASE_SECONDS = 180;
const ORIGIN = 'https://example.com';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** A workspace with one base, and a site of pages by their paths: text and links. */
async function openSite(pages: Map<string, readonly [text: string, ...links: string[]]>) {
  const clock = testClock();
  const flow = knowledgeFlow(dynamo, clock);
  const shared = { backoff: instantBackoff, ids: ulidIds };
  const sources = new DynamoSources(dynamo.client, TABLES.knowledge, shared);
  const { messages, queue } = messageList<CrawlMessage>();
  const workspaceId = ulidIds.next('ws');
  let secondsPerPage = 0;
  const asked: string[] = [];
  const web: CrawledWeb = {
    rules: async () => ({ allowed: async (urls) => urls.map(() => true), delayMs: 0, sitemaps: [] }),
    sitemap: async () => ({ pages: [], sitemaps: [] }),
    async get(url): Promise<WebAnswer> {
      clock.advance(secondsPerPage);
      const path = new URL(url).pathname;
      asked.push(path);
      const page = pages.get(path);
      if (page === undefined) return { kind: 'gone', status: 404 };
      const [text, ...links] = page;
      const content = { bytes: Buffer.from(text), mediaType: 'text/plain', etag: null, lastModified: null };
      return { kind: 'content', ...content, title: text, links: links.map((link) => ORIGIN + link), isIndexable: true };
    },
  };
  const objects = { async *list() {}, get: async () => null };
  const { bases, documents, uploads } = flow.ports;
  const faultable = {
    workspaces: sources,
    sources,
    pages: new DynamoSourcePages(dynamo.client, TABLES.knowledge),
    queue,
    web,
    bases,
    documents,
    uploads,
  };
  const portsOf = (wrapped: typeof faultable) => ({
    ...wrapped,
    workspaces: Object.assign(wrapped.workspaces, {}),
    knowledge: {
      ...flow.ports,
      bases: wrapped.bases,
      documents: wrapped.documents,
      uploads: wrapped.uploads,
      maxBytes: 1_000_000,
    },
    ...{ objects, wait: async () => undefined, clock, ids: ulidIds },
  });
  const ports = portsOf(faultable);
  const manage = { ...flow.ports, sources, queue };
  const { baseId } = await createBase(workspaceId, { name: 'b', description: '', embedding: null }, manage);
  const base = { workspaceId, baseId };

  async function work(fault: Fault | null = null, at: number | string = -1) {
    const { ports: wrapped, calls } = faultyPorts(faultable, fault, at);
    await crawlWorkspace({ workspaceId }, clock.now() + LEASE_SECONDS * 1000, portsOf(wrapped)).catch(() => undefined);
    return calls;
  }
  /** The reconciler's rounds, and the runs that follow, until there is nothing left to do. */
  async function settle() {
    for (let round = 0; round < 3; round++) {
      clock.advance(LEASE_SECONDS);
      await reconcileSources(ports);
      for (const _ of messages.splice(0)) await work();
    }
  }
  const add = (path = '/', schedule: Schedule = 'none', maxDocuments = 100) =>
    addSource(base, { place: { type: 'website', url: ORIGIN + path, depth: 5 }, maxDocuments, schedule }, manage);
  const titles = async () => (await documents.list(base, 100, null)).map(({ title }) => title).sort();
  const shown = async () => (await sourcesOf(base, manage))[0]!;
  return {
    ...{ base, clock, add, work, settle, titles, shown, messages, manage, asked, workspaceId, sources },
    slowDown: (seconds: number) => {
      secondsPerPage = seconds;
    },
  };
}

const site = () =>
  new Map<string, readonly [string, ...string[]]>([
    ['/', ['home', '/a', '/b']],
    ['/a', ['a', '/', '/c']],
    ['/b', ['b']],
    ['/c', ['c', '/a']],
  ]);

/** Every port call of its crawl is walked through. */
const smallSite = () =>
  new Map<string, readonly [string, ...string[]]>([
    ['/', ['home', '/a']],
    ['/a', ['a', '/']],
  ]);

it.each(FAULTS)('a crawl comes to the same documents in the end where a port call is met by: %s', async (fault) => {
  const calls = await (async () => {
    const flow = await openSite(smallSite());
    await flow.add();
    return flow.work();
  })();
  expect(calls).toContain('sources.saveProgress');
  for (const at of sampledCalls(calls.length)) {
    const flow = await openSite(smallSite());
    await flow.add();
    await flow.work(fault, at);
    await flow.settle();
    expect(await flow.titles(), calls[at]).toEqual(['a', 'home']);
    expect(await flow.shown(), calls[at]).toMatchObject({ crawl: null, dueAtMs: null, lastCrawl: { error: null } });
    const listed = await dynamo.items('knowledge', 'CRAWLED_WORKSPACES');
    expect(listed.filter(({ sk }) => sk === flow.workspaceId)).toEqual([]);
  }
});

it('a crawl is worked in slices, asks for each page once, and lets others go first', async () => {
  const flow = await openSite(site());
  await flow.add();
  flow.slowDown(40);
  flow.messages.splice(0);
  await flow.work();
  expect(await flow.shown()).toMatchObject({ crawl: { counts: { documents: 2 } }, lastCrawl: null });
  // It has queued itself behind the others.
  expect(flow.messages.splice(0)).toEqual([{ workspaceId: flow.workspaceId }]);
  await flow.work();
  await flow.settle();
  expect(await flow.shown()).toMatchObject({ crawl: null, lastCrawl: { counts: { documents: 4, added: 4 } } });
  expect(flow.asked).toEqual(['/', '/a', '/b', '/c']);
});

it('a workspace is crawled by one run at a time', async () => {
  const flow = await openSite(site());
  await flow.add();
  await flow.work('killed before', 'web.get');
  flow.asked.splice(0);
  await flow.work();
  expect(flow.asked).toEqual([]);
  flow.clock.advance(LEASE_SECONDS);
  await flow.work();
  expect(flow.asked).toHaveLength(4);
});

it.each([
  ['hourly', 60],
  ['daily', 24 * 60],
  ['weekly', 7 * 24 * 60],
] as const)('a source is crawled again %s', async (schedule, minutes) => {
  const pages = site();
  const flow = await openSite(pages);
  await flow.add('/', schedule);
  await flow.work();
  flow.messages.splice(0);
  pages.delete('/b');
  flow.clock.advance(minutes * 60 - LEASE_SECONDS - 1);
  await reconcileSources({ workspaces: flow.sources, queue: flow.manage.queue, clock: flow.clock });
  expect(flow.messages).not.toContainEqual({ workspaceId: flow.workspaceId });
  await flow.settle();
  expect(await flow.titles()).toEqual(['a', 'c', 'home']);
  expect(await flow.shown()).toMatchObject({ lastCrawl: { counts: { removed: 1 } } });
});

it('a source that is changed while it is crawled is crawled anew', async () => {
  const flow = await openSite(site());
  await flow.add();
  flow.slowDown(40);
  await flow.work();
  await flow.add('/', 'daily', 2);
  flow.slowDown(0);
  await flow.settle();
  expect(await flow.titles()).toHaveLength(2);
  expect(await flow.shown()).toMatchObject({
    schedule: 'daily',
    maxDocuments: 2,
    lastCrawl: { stoppedBy: 'max_documents' },
  });
});

it.each(FAULTS)('a removal leaves nothing of the source in the end where a port call is met by: %s', async (fault) => {
  const prepared = async () => {
    const flow = await openSite(smallSite());
    const { source } = await flow.add();
    await flow.work();
    await removeSource(source, flow.manage);
    return flow;
  };
  const calls = await (await prepared()).work();
  for (const at of sampledCalls(calls.length)) {
    const flow = await prepared();
    await flow.work(fault, at);
    await flow.settle();
    expect(await flow.titles(), calls[at]).toEqual([]);
    const left = await dynamo.items('knowledge', `WORKSPACE#${flow.workspaceId}`);
    expect(
      left.filter(({ pk, sk }) => /SOURCE/.test(`${pk}${sk}`)),
      calls[at],
    ).toEqual([]);
  }
});

it('sources of a base that is removed leave nothing behind', async () => {
  const flow = await openSite(site());
  await flow.add('/', 'hourly');
  await flow.work();
  await removeSourcesOf(flow.base, flow.manage);
  await removeBase(flow.base, flow.manage);
  await flow.settle();
  const left = await dynamo.items('knowledge', `WORKSPACE#${flow.workspaceId}`);
  expect(left.filter(({ pk, sk }) => /SOURCE/.test(`${pk}${sk}`))).toEqual([]);
});
