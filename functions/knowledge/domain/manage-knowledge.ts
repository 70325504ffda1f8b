import type { DataSettingsStore } from '../../accounts/domain/data-settings.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { ModelAddresses } from '../../shared/ports/model-addresses.ts';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';
import { maskResidentNumbers } from '../../shared/resident-numbers.ts';
import { uuidV7 } from '../../shared/uuid.ts';
import { type ContentPorts, contentOf, type NewDocument } from './document-content.ts';
import {
  type BaseId,
  type DocumentId,
  type EmbeddingConfig,
  type KnowledgeBase,
  type KnowledgeDocument,
  MAX_BASES,
  MAX_DOCUMENTS,
} from './knowledge-base.ts';
import type { KnowledgeBases, KnowledgeDocuments, KnowledgeQueue } from './knowledge-ports.ts';
import { KnowledgeRefused } from './knowledge-refused.ts';

export interface ManageBasePorts {
  readonly bases: KnowledgeBases;
  readonly queue: KnowledgeQueue;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Called when a message could not be sent: the reconciler will send it. */
  readonly onUnsent: (base: BaseId, error: unknown) => void;
}

/** Input for a new base. */
export interface BaseDraft extends Pick<KnowledgeBase, 'name' | 'description'> {
  /** With its key as it was sent. */
  readonly embedding: EmbeddingConfig | null;
}

export interface CreateBasePorts extends Pick<ManageBasePorts, 'bases' | 'clock' | 'random'> {
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly addresses: ModelAddresses;
}

/** The key of a base's model is opened for this base alone. */
export function embeddingSecretContext({ workspaceId, baseId }: BaseId): string {
  return `${workspaceId}/knowledge/${baseId}`;
}

/** @throws KnowledgeRefused */
export async function createBase(
  workspaceId: string,
  { name, description, embedding }: BaseDraft,
  { bases, clock, random, secrets, addresses }: CreateBasePorts,
): Promise<KnowledgeBase> {
  const nowMs = clock.now();
  const baseId = uuidV7(nowMs, random);
  const { apiKey = null, baseUrl = null } = embedding ?? {};
  const refusal = baseUrl === null ? null : addresses.refusalOf(baseUrl);
  if (refusal !== null) throw new KnowledgeRefused('invalid_base_url', `embedding.base_url ${refusal}.`);
  const sealed = apiKey === null ? null : await secrets.seal(apiKey, embeddingSecretContext({ workspaceId, baseId }));
  const base: KnowledgeBase = {
    workspaceId,
    baseId,
    name,
    description,
    embedding: embedding && { ...embedding, apiKey: sealed },
    documents: 0,
    passages: 0,
    createdAt: new Date(nowMs).toISOString(),
  };
  const outcome = await bases.create(base);
  if (outcome === 'name_taken') throw nameTaken(name);
  if (outcome === 'too_many')
    throw new KnowledgeRefused(
      'too_many_bases',
      `Your workspace has ${MAX_BASES} knowledge bases, the most that it may have. Remove one first.`,
    );
  return base;
}

/** @throws KnowledgeRefused */
export async function findBase(id: BaseId, { bases }: Pick<ManageBasePorts, 'bases'>): Promise<KnowledgeBase> {
  const base = await bases.find(id);
  if (base === null)
    throw new KnowledgeRefused('not_found', 'Knowledge base not found in this workspace. Check the id.');
  return base;
}

/** @throws KnowledgeRefused */
export async function changeBase(
  id: BaseId,
  change: { readonly name?: string | undefined; readonly description?: string | undefined },
  ports: Pick<ManageBasePorts, 'bases'>,
): Promise<KnowledgeBase> {
  const seen = await findBase(id, ports);
  const next = { name: change.name ?? seen.name, description: change.description ?? seen.description };
  const outcome = await ports.bases.rename(seen, next);
  if (outcome === 'name_taken') throw nameTaken(next.name);
  if (outcome === 'changed')
    throw new KnowledgeRefused(
      'changed',
      'The knowledge base has changed since you read it. Read it again, and send your change once more.',
    );
  return { ...seen, ...next };
}

/** @throws KnowledgeRefused */
export async function removeBase(id: BaseId, ports: Omit<ManageBasePorts, 'clock' | 'random'>): Promise<void> {
  const base = await findBase(id, ports);
  if (!(await ports.bases.remove(base))) await findBase(id, ports);
  await sendOrReport([{ ...idOf(base), documentId: null }], ports);
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

interface PageRequest {
  readonly limit: number;
  readonly before: string | null;
}

/** Newest first. */
export async function basePage(
  workspaceId: string,
  { limit, before }: PageRequest,
  { bases }: Pick<ManageBasePorts, 'bases'>,
): Promise<Page<KnowledgeBase>> {
  return pageOf(await bases.list(workspaceId, limit + 1, before), limit, ({ baseId }) => baseId);
}

export interface ManageDocumentPorts extends Omit<ManageBasePorts, 'bases'>, ContentPorts {
  readonly documents: KnowledgeDocuments;
  readonly dataSettings: DataSettingsStore;
}

/** The title that is kept: without resident numbers where the workspace masks them. */
export async function storedTitle(
  { workspaceId }: BaseId,
  title: string,
  { dataSettings }: Pick<ManageDocumentPorts, 'dataSettings'>,
): Promise<string> {
  const settings = await dataSettings.dataSettings(workspaceId);
  return settings.maskResidentNumbers ? maskResidentNumbers(title) : title;
}

/** Adds a document and has it indexed in the background. @param added has the title that is stored. @throws KnowledgeRefused */
export async function addDocument(
  base: BaseId,
  added: NewDocument & { readonly externalId: string | null },
  ports: ManageDocumentPorts,
): Promise<KnowledgeDocument> {
  const { documents, clock, random } = ports;
  const content = await contentOf(base, added, ports);
  const nowMs = clock.now();
  const document: KnowledgeDocument = {
    ...idOf(base),
    documentId: uuidV7(nowMs, random),
    externalId: added.externalId,
    version: 1,
    live: null,
    title: added.title,
    ...content,
    pages: null,
    pagesWithoutText: null,
    passages: 0,
    createdAt: new Date(nowMs).toISOString(),
    ...waiting(nowMs),
  };
  const outcome = await documents.add(document);
  if (outcome === 'base_gone')
    throw new KnowledgeRefused('not_found', 'Knowledge base not found in this workspace. Check the id.');
  if (outcome === 'too_many')
    throw new KnowledgeRefused(
      'too_many_documents',
      `The knowledge base has ${MAX_DOCUMENTS} documents, the most that it may have. Remove some, or make another base.`,
    );
  if (outcome === 'external_id_taken')
    throw new KnowledgeRefused(
      'external_id_taken',
      'Another document was added with this external_id at the same moment. Send yours again.',
    );
  await sendOrReport([{ ...idOf(base), documentId: document.documentId }], ports);
  return document;
}

/** The state of a document whose content is to be indexed. */
export function waiting(nowMs: number) {
  const run = { attempts: 0, leaseUntilMs: 0, queuedAtMs: nowMs, requeues: 0 } as const;
  return { status: 'pending', failure: null, finishedAt: null, ...run } as const;
}

/** @throws KnowledgeRefused */
export async function findDocument(
  id: DocumentId,
  { documents, ...ports }: Pick<ManageDocumentPorts, 'documents'> & Pick<ManageBasePorts, 'bases'>,
): Promise<KnowledgeDocument> {
  // Leftovers of a removed base do not exist for its clients.
  const [document] = await whileThere(id, documents.find(id), ports);
  if (document === null)
    throw new KnowledgeRefused('document_not_found', 'Document not found in this knowledge base. Check the id.');
  return document;
}

/** Newest first. */
export async function documentPage(
  base: BaseId,
  { limit, before }: PageRequest,
  { documents, ...ports }: Pick<ManageDocumentPorts, 'documents'> & Pick<ManageBasePorts, 'bases'>,
): Promise<Page<KnowledgeDocument>> {
  const [found] = await whileThere(base, documents.list(base, limit + 1, before), ports);
  return pageOf(found, limit, ({ documentId }) => documentId);
}

/**
 * Reads a part of a base in parallel with the base itself.
 * @throws KnowledgeRefused if the base does not exist.
 */
export async function whileThere<Value>(
  id: BaseId,
  reading: Promise<Value>,
  ports: Pick<ManageBasePorts, 'bases'>,
): Promise<[Value, KnowledgeBase]> {
  reading.catch(() => undefined);
  const base = await findBase(id, ports);
  return [await reading, base];
}

/** A document changes at most a few times: when it is acquired, released and indexed. */
const MAX_REMOVALS = 5;

/** Removes a document, its original first: what a crash leaves can be removed again. @throws KnowledgeRefused */
export async function removeDocument(
  id: DocumentId,
  ports: Pick<ManageDocumentPorts, 'documents' | 'uploads' | 'queue' | 'onUnsent'> & Pick<ManageBasePorts, 'bases'>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const document = await findDocument(id, ports);
    await ports.uploads.remove(document.uploadKey);
    if (await ports.documents.remove(document)) break;
    if (attempt === MAX_REMOVALS)
      throw new KnowledgeRefused('changed', 'The document is being indexed at this moment. Try again.');
  }
  await sendOrReport([{ ...idOf(id), documentId: null }], ports);
}

function nameTaken(name: string): KnowledgeRefused {
  return new KnowledgeRefused(
    'name_taken',
    `Your workspace has a knowledge base named ${JSON.stringify(name)} already. Choose another name.`,
  );
}

export async function sendOrReport(
  messages: Parameters<KnowledgeQueue['send']>[0],
  { queue, onUnsent }: Pick<ManageBasePorts, 'queue' | 'onUnsent'>,
): Promise<void> {
  try {
    await queue.send(messages);
  } catch (error) {
    onUnsent(messages[0]!, error);
  }
}

/** @param found one more than requested shows whether there is another page, and keeps the last page from being empty. */
function pageOf<Item>(found: readonly Item[], limit: number, cursorOf: (item: Item) => string): Page<Item> {
  const items = found.slice(0, limit);
  return { items, nextCursor: found.length > limit ? cursorOf(items.at(-1)!) : null };
}

const idOf = ({ workspaceId, baseId }: BaseId): BaseId => ({ workspaceId, baseId });
