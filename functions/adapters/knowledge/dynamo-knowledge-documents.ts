import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type BaseId,
  type DocumentId,
  type KnowledgeDocument,
  MAX_DOCUMENTS,
} from '../../knowledge/domain/knowledge-base.ts';
import type { KnowledgeDocuments } from '../../knowledge/domain/knowledge-ports.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { ABSENT, and, below, type Condition, equal, missing, or, PRESENT } from '../dynamodb/expressions.ts';
import { KNOWLEDGE_DOCUMENTS } from '../dynamodb/keys.ts';
import { FENCE } from '../dynamodb/leases.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { type TransactItem, transactOrRetry } from '../dynamodb/transactions.ts';
import type { DynamoKnowledgePorts } from './dynamo-knowledge-bases.ts';
import {
  baseKey,
  documentKey,
  documentOf,
  externalIdKey,
  listed,
  openPart,
  partitionOf,
  removedPart,
  titleKey,
} from './knowledge-items.ts';

/** Holds of every item, and where there is none. */
const ANY: Condition = or(ABSENT, PRESENT);

/** Neither replaced nor indexed since it was read. */
function isAsSeen({ status, version }: KnowledgeDocument): Condition {
  const isVersion = equal('version', version);
  return and(equal('status', status), version === 1 ? or(missing('version'), isVersion) : isVersion);
}

export class DynamoKnowledgeDocuments implements KnowledgeDocuments {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #ports: DynamoKnowledgePorts & { readonly clock: Clock };

  constructor(client: DynamoDBDocumentClient, table: string, ports: DynamoKnowledgePorts & { readonly clock: Clock }) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#ports = ports;
  }

  async find(id: DocumentId): Promise<KnowledgeDocument | null> {
    const item = await this.#table.get(documentKey(id));
    return item && documentOf(item);
  }

  async list(base: BaseId, limit: number, before: string | null): Promise<KnowledgeDocument[]> {
    const after = before === null ? null : documentKey({ ...base, documentId: before });
    const query = { partition: partitionOf(base), prefix: KNOWLEDGE_DOCUMENTS, limit, after };
    return (await listed(this.#table, query)).map(documentOf);
  }

  async unfinished(base: BaseId): Promise<KnowledgeDocument[]> {
    const found: KnowledgeDocument[] = [];
    const filter = equal('finishedAt', null);
    for await (const item of this.#table.query({ partition: partitionOf(base), prefix: KNOWLEDGE_DOCUMENTS, filter }))
      found.push(documentOf(item));
    return found;
  }

  async findByExternalId(base: BaseId, externalId: string): Promise<KnowledgeDocument | null> {
    return this.#findBy(base, externalIdKey(base, externalId));
  }

  async findByTitle(base: BaseId, title: string): Promise<KnowledgeDocument | null> {
    const found = await this.#findBy(base, titleKey(base, title));
    return found?.title === title ? found : null;
  }

  async #findBy({ workspaceId, baseId }: BaseId, key: Key): Promise<KnowledgeDocument | null> {
    const pointer = await this.#table.get<{ documentId: string }>(key);
    return pointer && this.find({ workspaceId, baseId, documentId: pointer.documentId });
  }

  async add(document: KnowledgeDocument): Promise<'added' | 'base_gone' | 'too_many' | 'external_id_taken'> {
    const { baseId, workspaceId, documentId, externalId, title } = document;
    const external = externalId === null ? null : { ...externalIdKey(document, externalId), documentId };
    const cancelled = await transactOrRetry(
      this.#client,
      [
        [
          'base',
          this.#table.updatePart(baseKey(document), {
            set: { baseId, workspaceId },
            increment: { documents: 1 },
            condition: below('documents', MAX_DOCUMENTS),
          }),
        ],
        ['document', this.#table.putPart({ ...document, ...documentKey(document) })],
        ['title', this.#table.putPart({ ...titleKey(document, title), documentId }, ANY)],
        ...(external === null ? [] : [['external', this.#table.putPart(external)] as const]),
        ['open', this.#open(document)],
      ],
      this.#ports.backoff,
    );
    if (cancelled === null) return 'added';
    if (cancelled.failed('external')) return 'external_id_taken';
    if (!cancelled.failed('base')) throw new Error('A document has the id of another one.');
    return (await this.#table.get(baseKey(document))) === null ? 'base_gone' : 'too_many';
  }

  async replace(seen: KnowledgeDocument, next: KnowledgeDocument): Promise<boolean> {
    const { documentId, version, live, title, type, bytes, uploadKey, contentHash, queuedAtMs } = next;
    const { status, failure, finishedAt, attempts, leaseUntilMs, requeues } = next;
    const cancelled = await transactOrRetry(
      this.#client,
      [
        [
          'document',
          this.#table.updatePart(documentKey(seen), {
            set: {
              ...{ version, live, title, type, bytes, uploadKey, contentHash, queuedAtMs },
              ...{ status, failure, finishedAt, attempts, leaseUntilMs, requeues },
            },
            // A run that reads the version before has lost its lease.
            remove: [FENCE],
            condition: isAsSeen(seen),
          }),
        ],
        ['title', this.#table.putPart({ ...titleKey(seen, title), documentId }, ANY)],
        ['open', this.#open(seen)],
      ],
      this.#ports.backoff,
    );
    return cancelled === null;
  }

  async remove(seen: KnowledgeDocument): Promise<boolean> {
    const { baseId, workspaceId, live, externalId } = seen;
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['document', this.#table.deletePart(documentKey(seen), isAsSeen(seen))],
        ...(externalId === null
          ? []
          : [['external', this.#table.deletePart(externalIdKey(seen, externalId))] as const]),
        [
          'base',
          this.#table.updatePart(baseKey(seen), {
            set: { baseId, workspaceId },
            increment: { documents: -1, passages: -(live?.passages ?? 0) },
          }),
        ],
        ...(live === null
          ? []
          : [['removed', removedPart(this.#table, seen, live.version, this.#ports.clock.now())] as const]),
        ['open', this.#open(seen)],
      ],
      this.#ports.backoff,
    );
    return cancelled === null;
  }

  #open(base: BaseId): TransactItem {
    return openPart(this.#table, base, this.#ports.ids.next('stamp'));
  }
}
