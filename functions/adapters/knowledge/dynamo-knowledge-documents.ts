import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type BaseId,
  type DocumentId,
  type KnowledgeDocument,
  MAX_DOCUMENTS,
} from '../../chat/domain/knowledge/knowledge-base.ts';
import type { KnowledgeDocuments } from '../../chat/domain/knowledge/knowledge-ports.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { below, equal } from '../dynamodb/expressions.ts';
import { KNOWLEDGE_DOCUMENTS } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { type TransactItem, transactOrRetry } from '../dynamodb/transactions.ts';
import type { DynamoKnowledgePorts } from './dynamo-knowledge-bases.ts';
import { baseKey, documentKey, documentOf, listed, openPart, partitionOf, removedKey } from './knowledge-items.ts';

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

  async add(document: KnowledgeDocument): Promise<'added' | 'base_gone' | 'too_many'> {
    const { baseId, workspaceId } = document;
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
        ['open', this.#open(document)],
      ],
      this.#ports.backoff,
    );
    if (cancelled === null) return 'added';
    if (!cancelled.failed('base')) throw new Error('A document has the id of another one.');
    return (await this.#table.get(baseKey(document))) === null ? 'base_gone' : 'too_many';
  }

  async remove(seen: KnowledgeDocument): Promise<boolean> {
    const { baseId, workspaceId, status, passages, documentId } = seen;
    const unchanged = equal('status', status);
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['document', this.#table.deletePart(documentKey(seen), unchanged)],
        [
          'base',
          this.#table.updatePart(baseKey(seen), {
            set: { baseId, workspaceId },
            increment: { documents: -1, passages: -passages },
          }),
        ],
        ...(status === 'ready'
          ? [
              [
                'removed',
                this.#table.putPart({ ...removedKey(seen), documentId, removedAtMs: this.#ports.clock.now() }),
              ] as const,
            ]
          : []),
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
