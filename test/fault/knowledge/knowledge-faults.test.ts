import { afterAll, beforeAll, expect, it } from 'vitest';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';
import { cleanBase } from '../../../functions/knowledge/domain/clean-base.ts';
import { indexDocument } from '../../../functions/knowledge/domain/index-document.ts';
import type { KnowledgeMessage } from '../../../functions/knowledge/domain/knowledge-ports.ts';
import {
  addDocument,
  createBase,
  removeBase,
  removeDocument,
} from '../../../functions/knowledge/domain/manage-knowledge.ts';
import { giveUpDocument, reconcileDocuments } from '../../../functions/knowledge/domain/reconcile-documents.ts';
import { replaceDocument } from '../../../functions/knowledge/domain/replace-document.ts';
import { knowledgeSearch } from '../../../functions/knowledge/domain/search-knowledge.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../../helpers/embedded-dynamo.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { knowledgeFlow } from '../../helpers/knowledge-flow.ts';

const LEASE_MS = 300_000;
/** After it no run is alive, no note is young, and no message is waited for. */
const LONG_SECONDS = 2 * 60 * 60;
const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const;

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

/** Its vectors are part of every index here: the walks go through the model's calls as well. */
const EMBEDDING = { provider: 'bedrock', model: 'titan', baseUrl: null, apiKey: null, dimensions: null } as const;

const contentOf = (word: string) =>
  ({ kind: 'inline', title: word, mediaType: 'text/plain', text: `이 글에는 ${word} 있다` }) as const;

/** A base in a new workspace. */
async function openBase() {
  const clock = testClock();
  const flow = knowledgeFlow(dynamo, clock);
  const { messages, stored } = flow;
  const limits = { maxBytes: 1_000_000 };
  const ports = { ...flow.ports, ...limits };
  const workspaceId = ulidIds.next('ws');
  const base = {
    workspaceId,
    baseId: (await createBase(workspaceId, { name: 'b', description: '', embedding: EMBEDDING }, ports)).baseId,
  };
  const add = (word: string) => addDocument(base, { ...contentOf(word), externalId: null }, ports);
  const found = async (word: string) => {
    const hits = await knowledgeSearch(ports).search({ workspaceId, baseIds: [base.baseId], query: word, limit: 50 });
    return hits.map(({ title }) => title).sort();
  };
  /** One delivery of a message, as the worker treats it. */
  async function work({ documentId, ...id }: KnowledgeMessage, fault: Fault | null = null, at: number | string = -1) {
    const { clock: _, ids, ...others } = flow.ports;
    const { ports: wrapped, calls } = faultyPorts(others, fault, at);
    const faulty = { ...wrapped, ...limits, clock, ids };
    const deadlineMs = clock.now() + LEASE_MS;
    try {
      const verdict = documentId === null ? 'ack' : await indexDocument({ ...id, documentId }, deadlineMs, faulty);
      if (verdict === 'ack') await cleanBase(id, deadlineMs, faulty).catch(() => undefined);
      return { verdict, calls };
    } catch {
      return { verdict: 'retry' as const, calls };
    }
  }
  async function workAll() {
    for (const message of messages.splice(0)) await work(message);
  }
  /** Rounds of the reconciler until there is nothing left to do. */
  async function settle() {
    for (let round = 0; round < 3; round++) {
      clock.advance(LONG_SECONDS);
      await reconcileDocuments(ports);
      await workAll();
    }
  }
  const items = async () => {
    const all = await dynamo.items('knowledge', `WORKSPACE#${workspaceId}`);
    return all.map(({ sk }) => String(sk));
  };
  const isOpen = async () => {
    for await (const open of ports.openBases.list()) if (open.baseId === base.baseId) return true;
    return false;
  };
  const segments = () => [...stored.keys()].filter((key) => key.startsWith(base.baseId)).length;
  return { ...flow, ports, clock, base, add, found, work, workAll, settle, items, isOpen, segments };
}

type Opened = Awaited<ReturnType<typeof openBase>>;

/** Nothing is left of a crash: every object is in the index, and every document is ready and counted once. */
async function expectExact(opened: Opened, words: readonly string[]) {
  const { ports, base, found, items, isOpen, segments } = opened;
  const documents = await ports.documents.list(base, 100, null);
  expect(documents.map(({ title, status }) => [title, status]).sort()).toEqual(words.map((word) => [word, 'ready']));
  expect(await ports.bases.find(base)).toMatchObject({ documents: words.length, passages: words.length });
  expect(await found('글에는')).toEqual([...words].sort());
  const left = await items();
  expect(left.filter((sk) => sk.startsWith('NOTE#') || sk.startsWith('INDEX#REMOVED#'))).toEqual([]);
  expect(left.filter((sk) => sk.startsWith('INDEX#SEGMENT#'))).toHaveLength(segments());
  expect(await isOpen()).toBe(false);
}

it.each(FAULTS)(
  '%s: at every port call of indexing and of the delivery after it, the document is indexed once',
  async (fault) => {
    for (let at = 0; ; at++) {
      const opened = await openBase();
      await opened.add('alpha');
      const { calls } = await opened.work(opened.messages.shift()!, fault, at);
      await opened.settle();
      await expectExact(opened, ['alpha']);
      if (at >= calls.length) {
        expect(at).toBeGreaterThan(7);
        return;
      }
    }
  },
);

it.each(FAULTS)(
  '%s: at every port call of replacing a document, answers come from one version of it, and in the end from the new one',
  async (fault) => {
    for (let at = 0; ; at++) {
      const opened = await openBase();
      const { ports, messages, found } = opened;
      const { documentId, ...base } = await opened.add('old');
      await opened.workAll();
      await replaceDocument({ ...base, documentId }, contentOf('new'), ports);
      expect(await found('글에는')).toEqual(['old']);
      const { calls } = await opened.work(messages.shift()!, fault, at);
      expect(['old', 'new']).toContain((await found('글에는')).join());
      await opened.settle();
      await expectExact(opened, ['new']);
      const [document] = await ports.documents.list(base, 10, null);
      expect(document).toMatchObject({ documentId, version: 2, live: { version: 2, passages: 1 } });
      if (at >= calls.length) return;
    }
  },
);

it('a document that is replaced while it is indexed ends with the last content, and a removed one with none', async () => {
  const opened = await openBase();
  const { ports, found } = opened;
  const { documentId, ...base } = await opened.add('first');
  const id = { ...base, documentId };
  for (const word of ['second', 'third']) await replaceDocument(id, contentOf(word), ports);
  await opened.workAll();
  await opened.settle();
  await expectExact(opened, ['third']);
  await replaceDocument(id, contentOf('fourth'), ports);
  await removeDocument(id, ports);
  expect(await found('글에는')).toEqual([]);
  await opened.workAll();
  await opened.settle();
  await expectExact(opened, []);
});

it('a new content that cannot be read leaves the one before in the answers', async () => {
  const opened = await openBase();
  const { ports, found } = opened;
  const { documentId, ...base } = await opened.add('kept');
  await opened.workAll();
  const bad = { kind: 'inline', title: 'bad', mediaType: 'application/json', text: '{' } as const;
  await replaceDocument({ ...base, documentId }, bad, ports);
  await opened.workAll();
  expect(await ports.documents.find({ ...base, documentId })).toMatchObject({ status: 'failed', live: { version: 1 } });
  expect(await found('글에는')).toEqual(['kept']);
  expect(await ports.bases.find(base)).toMatchObject({ documents: 1, passages: 1 });
});

const MERGE_CALLS = ['maker.merge', 'cleaning.noteSegment', 'objects.put', 'cleaning.swap'];

it.each(MERGE_CALLS.flatMap((call) => [['killed before', call] as const, ['answer lost', call] as const]))(
  '%s, %s: all documents but the removed one are found before, during and after a merge',
  async (fault, call) => {
    const words = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8', 'w9'];
    const opened = await openBase();
    const { base, messages, ports } = opened;
    const added = [];
    for (const word of words) added.push(await opened.add(word));
    for (const { documentId } of added) await indexDocument({ ...base, documentId }, Number.MAX_SAFE_INTEGER, ports);
    // Its segment is to be rewritten, and the eight others merged.
    await removeDocument(added[0]!, ports);
    messages.length = 0;
    expect(await opened.found('글에는')).toEqual(words.slice(1));
    const { calls } = await opened.work({ ...base, documentId: null }, fault, call);
    expect(await opened.found('글에는')).toEqual(words.slice(1));
    expect(calls).toContain(call);
    await opened.settle();
    await expectExact(opened, words.slice(1));
    expect(opened.segments()).toBe(1);
  },
);

it.each(FAULTS)('%s: at every port call of a removal, a document is either there or gone for good', async (fault) => {
  for (let at = 0; at < 5; at++) {
    const opened = await openBase();
    const document = await opened.add('alpha');
    await opened.add('beta');
    await opened.workAll();
    const { maxBytes: _, ...objects } = opened.ports;
    const { ports: faulty } = faultyPorts(objects, fault, at);
    await removeDocument(document, faulty).catch(() => undefined);
    const isThere = (await opened.ports.documents.find(document)) !== null;
    expect(await opened.found('글에는')).toEqual(isThere ? ['alpha', 'beta'] : ['beta']);
    await opened.settle();
    await expectExact(opened, isThere ? ['alpha', 'beta'] : ['beta']);
  }
});

it.each(FAULTS)(
  '%s: at every port call of the clean-up of a removed base, nothing of it is left in the end',
  async (fault) => {
    for (let at = 0; ; at++) {
      const opened = await openBase();
      const { base, ports, messages } = opened;
      await opened.add('alpha');
      await opened.add('beta');
      await opened.work(messages.shift()!);
      const waiting = messages.shift()!;
      await removeBase(base, ports);
      expect(await opened.found('alpha')).toEqual([]);
      const { calls } = await opened.work(messages.shift()!, fault, at);
      await opened.work(waiting);
      await opened.settle();
      expect(await opened.items()).toEqual(['KNOWLEDGE_BASE_COUNT']);
      expect(opened.segments()).toBe(0);
      expect(await opened.isOpen()).toBe(false);
      if (at >= calls.length) {
        expect(at).toBeGreaterThan(3);
        return;
      }
    }
  },
);

it('a document that is removed while it is indexed stays removed, and its segment is not a part of the index', async () => {
  const opened = await openBase();
  const { ports, base, messages } = opened;
  const document = await opened.add('alpha');
  const put = ports.objects.put;
  const racing = {
    ...ports,
    objects: {
      ...ports.objects,
      put: async (...segment: Parameters<typeof put>) => {
        await put(...segment);
        await removeDocument(document, ports);
      },
    },
  };
  await indexDocument({ ...base, documentId: document.documentId }, opened.clock.now() + LEASE_MS, racing);
  expect(await opened.found('alpha')).toEqual([]);
  messages.length = 0;
  await opened.settle();
  await expectExact(opened, []);
  expect(opened.segments()).toBe(0);
});

it('two deliveries at once index a document once', async () => {
  const opened = await openBase();
  await opened.add('alpha');
  const message = opened.messages.shift()!;
  const verdicts = await Promise.all([opened.work(message), opened.work(message)]);
  expect(verdicts.map(({ verdict }) => verdict)).toContain('ack');
  await opened.settle();
  await expectExact(opened, ['alpha']);
});

it('a document whose workers die again and again is failed, and so is one that used up its deliveries', async () => {
  const opened = await openBase();
  const { ports, base, clock, givenUp } = opened;
  const { documentId } = await opened.add('alpha');
  for (let run = 0; run < 5; run++) {
    await opened.work({ ...base, documentId }, 'killed before', 'maker.read');
    clock.advance(LEASE_MS / 1000 + 1);
  }
  expect(givenUp).toHaveLength(1);
  const second = await opened.add('beta');
  expect(await giveUpDocument(second, ports)).toBe('ack');
  for (const id of [documentId, second.documentId])
    expect(await ports.documents.find({ ...base, documentId: id })).toMatchObject({
      ...{ status: 'failed', failure: { code: 'processing_failed' } },
    });
  expect(await ports.bases.find(base)).toMatchObject({ documents: 2, passages: 0 });
});
