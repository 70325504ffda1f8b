import type { ExportSource } from '../../accounts/domain/export-workspace.ts';
import { workspaceOf } from '../../accounts/domain/manage-workspace.ts';
import { chunks } from '../../shared/chunks.ts';
import { channels } from '../channels/channels.ts';
import { applications, conversations } from '../chat/chat.ts';
import { extractions, jobs } from '../extraction/extraction.ts';
import { bases, documents } from '../knowledge/bases.ts';
import { runs, workflows } from '../workflows/workflows.ts';
import { accounts, audit, keyRing, ledger, usage, workspaces } from './accounts.ts';
import { members } from './auth.ts';

const PAGE = 100;
/** Of a query of stored pages. */
const EXTRACTIONS_AT_ONCE = 25;

/** All items of a listing that comes in pages. */
async function* paged<Item, Cursor>(
  page: (limit: number, before: Cursor | null) => Promise<readonly Item[]>,
  cursorOf: (item: Item) => Cursor,
): AsyncGenerator<Item> {
  for (let before: Cursor | null = null; ; ) {
    const items: readonly Item[] = await page(PAGE, before);
    yield* items;
    if (items.length < PAGE) return;
    before = cursorOf(items.at(-1)!);
  }
}

const entriesOf = (workspaceId: string) =>
  paged(
    (limit, before: number | null) => ledger().entries(workspaceId, limit, before),
    ({ sequence }) => sequence,
  );
const applicationsOf = (workspaceId: string) =>
  paged(
    (limit, before: string | null) => applications().list(workspaceId, limit, before),
    ({ applicationId }) => applicationId,
  );
const basesOf = (workspaceId: string) =>
  paged(
    (limit, before: string | null) => bases().list(workspaceId, limit, before),
    ({ baseId }) => baseId,
  );
const workflowsOf = (workspaceId: string) =>
  paged(
    (limit, before: string | null) => workflows().list(workspaceId, limit, before),
    ({ workflowId }) => workflowId,
  );

/** Everything of a workspace that it can read by the API, without secrets. Images are fetched by their own addresses. */
export const exportSources: readonly ExportSource[] = [
  {
    name: 'workspace',
    async *records(workspaceId) {
      yield await workspaceOf(workspaceId, { workspaces: workspaces() });
      const { version, crowd, ...account } = (await accounts().find(workspaceId)) ?? {};
      yield account;
    },
  },
  {
    name: 'members',
    async *records(workspaceId) {
      for (const { userId, email, role, createdAt } of await members().list(workspaceId))
        yield { userId, email, role, createdAt };
      for (const { invitationId, email, role, createdAt } of await members().invitations(workspaceId))
        yield { invitationId, email, role, createdAt };
    },
  },
  {
    name: 'api-keys',
    async *records(workspaceId) {
      for (const { id, name, scopes, createdAt, lastUsedAt, validUntil } of (await keyRing().keysOf(workspaceId)).keys)
        yield { id, name, scopes, createdAt, lastUsedAt, validUntil };
    },
  },
  { name: 'ledger', records: entriesOf },
  {
    name: 'usage',
    records: (workspaceId) => usage().counts(workspaceId, '0000-01-01', '9999-12-31'),
  },
  {
    name: 'audit',
    records: (workspaceId) =>
      paged(
        (limit, before: string | null) => audit().entries(workspaceId, limit, before),
        ({ auditId }) => auditId,
      ),
  },
  { name: 'extractions', records: extractionsOf },
  {
    name: 'jobs',
    async *records(workspaceId) {
      for await (const jobId of jobs().ids(workspaceId)) {
        const job = await jobs().find(workspaceId, jobId);
        if (job !== null)
          yield { ...job.head, images: job.images.map(({ index, place, outcome }) => ({ index, place, outcome })) };
      }
    },
  },
  {
    name: 'applications',
    async *records(workspaceId) {
      for await (const { applicationId, name, type, config, createdAt } of applicationsOf(workspaceId)) {
        const { systemPrompt, knowledgeBases, workflowId, model } = config;
        yield { applicationId, name, type, model: model.name, systemPrompt, knowledgeBases, workflowId, createdAt };
      }
    },
  },
  { name: 'conversations', records: conversationsOf },
  {
    name: 'knowledge-bases',
    async *records(workspaceId) {
      for await (const base of basesOf(workspaceId)) {
        const { baseId, name, description, createdAt } = base;
        const found = paged(
          (limit, before: string | null) => documents().list(base, limit, before),
          ({ documentId }) => documentId,
        );
        const listed: object[] = [];
        for await (const document of found)
          listed.push({
            documentId: document.documentId,
            title: document.title,
            bytes: document.bytes,
            createdAt: document.createdAt,
          });
        yield { baseId, name, description, createdAt, documents: listed };
      }
    },
  },
  {
    name: 'channels',
    async *records(workspaceId) {
      const found = paged(
        (limit, before: string | null) => channels().list(workspaceId, limit, before),
        ({ channelId }) => channelId,
      );
      for await (const { channelId, type, name, applicationId, status, createdAt } of found)
        yield { channelId, type, name, applicationId, status, createdAt };
    },
  },
  { name: 'workflows', records: workflowsOf },
  {
    name: 'runs',
    async *records(workspaceId) {
      for await (const { workflowId } of workflowsOf(workspaceId)) {
        const heads = paged(
          (limit, before: string | null) => runs().list(workspaceId, workflowId, limit, before),
          ({ runId }) => runId,
        );
        for await (const head of heads) {
          const run = await runs().read(head);
          if (run !== null) yield { ...run.head, events: run.events };
        }
      }
    },
  },
];

/** Those of busy moments are found by their entries in the ledger alone. */
async function* extractionsOf(workspaceId: string) {
  const ids = new Set<string>();
  for await (const id of extractions().ids(workspaceId)) ids.add(id);
  for await (const { kind, reference } of entriesOf(workspaceId))
    if (kind === 'extraction' && reference !== null) ids.add(reference);
  for (const some of chunks([...ids], EXTRACTIONS_AT_ONCE)) {
    for (const { extractionId, createdAt, page, origin } of (await extractions().findAll(workspaceId, some)).values())
      yield { extractionId, createdAt, ...origin?.labels, ...page };
  }
}

async function* conversationsOf(workspaceId: string) {
  // Workflows that are called by their own id answer without an application.
  const ids = [''];
  for await (const { applicationId } of applicationsOf(workspaceId)) ids.push(applicationId);
  for (const applicationId of ids) {
    const found = paged(
      (limit, before: string | null) => conversations().list({ workspaceId, applicationId }, limit, before),
      ({ conversationId }) => conversationId,
    );
    for await (const conversation of found) {
      const turns = paged(
        (limit, after: string | null) => conversations().turns(conversation, limit, after),
        ({ turnId }) => turnId,
      );
      const told: object[] = [];
      for await (const { turnId, createdAt, input, steps, answer, rating } of turns)
        told.push({ turnId, createdAt, input, steps, answer, rating });
      yield { ...conversation, turns: told };
    }
  }
}
