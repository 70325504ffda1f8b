import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type BaseId, type KnowledgeBase, MAX_BASES } from '../../knowledge/domain/knowledge-base.ts';
import type { KnowledgeBases } from '../../knowledge/domain/knowledge-ports.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { and, below, equal, missing, or, PRESENT } from '../dynamodb/expressions.ts';
import {
  KNOWLEDGE_BASES,
  knowledgeBaseCountKey,
  knowledgeBaseKey,
  knowledgeBaseNameKey,
  workspacePartition,
} from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';
import { baseKey, baseOf, listed, markKey, openPart } from './knowledge-items.ts';

export interface DynamoKnowledgePorts {
  readonly backoff: Backoff;
  readonly ids: Ids;
}

/** An item for each base, one for each name in use, and the mark of the base in its index. */
export class DynamoKnowledgeBases implements KnowledgeBases {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #ports: DynamoKnowledgePorts;

  constructor(client: DynamoDBDocumentClient, table: string, ports: DynamoKnowledgePorts) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#ports = ports;
  }

  async find(id: BaseId): Promise<KnowledgeBase | null> {
    const item = await this.#table.get(baseKey(id));
    return item && baseOf(item);
  }

  async findAll(workspaceId: string, baseIds: readonly string[]): Promise<KnowledgeBase[]> {
    const keys = [...new Set(baseIds)].map((baseId) => knowledgeBaseKey(workspaceId, baseId));
    return (await this.#table.getAll(keys)).map(baseOf);
  }

  async list(workspaceId: string, limit: number, before: string | null): Promise<KnowledgeBase[]> {
    const after = before === null ? null : knowledgeBaseKey(workspaceId, before);
    const query = { partition: workspacePartition(workspaceId), prefix: KNOWLEDGE_BASES, limit, after };
    return (await listed(this.#table, query)).map(baseOf);
  }

  async create(base: KnowledgeBase): Promise<'created' | 'name_taken' | 'too_many'> {
    const { workspaceId, baseId, name, embedding } = base;
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['base', this.#table.putPart({ ...base, ...baseKey(base) })],
        ['name', this.#table.putPart({ ...knowledgeBaseNameKey(workspaceId, name), baseId })],
        ['mark', this.#table.putPart({ ...markKey(base), status: 'idle', leaseUntilMs: 0, embedding })],
        [
          'count',
          this.#table.updatePart(knowledgeBaseCountKey(workspaceId), {
            orCreate: true,
            set: { workspaceId },
            add: { bases: 1 },
            condition: or(missing('bases'), below('bases', MAX_BASES)),
          }),
        ],
      ],
      this.#ports.backoff,
    );
    if (cancelled === null) return 'created';
    if (cancelled.failed('name')) return 'name_taken';
    if (cancelled.failed('count')) return 'too_many';
    throw new Error('A knowledge base has the id of another one.');
  }

  async rename(seen: KnowledgeBase, { name, description }: Pick<KnowledgeBase, 'name' | 'description'>) {
    const { workspaceId, baseId } = seen;
    const condition = and(PRESENT, equal('name', seen.name), equal('description', seen.description));
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['base', this.#table.updatePart(baseKey(seen), { set: { name, description }, condition })],
        ...(name === seen.name
          ? []
          : [
              ['freed', this.#table.deletePart(knowledgeBaseNameKey(workspaceId, seen.name))] as const,
              ['name', this.#table.putPart({ ...knowledgeBaseNameKey(workspaceId, name), baseId })] as const,
            ]),
      ],
      this.#ports.backoff,
    );
    if (cancelled === null) return 'renamed';
    return cancelled.failed('name') && !cancelled.failed('base') ? 'name_taken' : 'changed';
  }

  async remove(base: KnowledgeBase): Promise<boolean> {
    const { workspaceId, name } = base;
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['base', this.#table.deletePart(baseKey(base), PRESENT)],
        ['name', this.#table.deletePart(knowledgeBaseNameKey(workspaceId, name))],
        ['mark', this.#table.deletePart(markKey(base))],
        [
          'count',
          this.#table.updatePart(knowledgeBaseCountKey(workspaceId), {
            orCreate: true,
            set: { workspaceId },
            add: { bases: -1 },
          }),
        ],
        ['open', openPart(this.#table, base, this.#ports.ids.next('stamp'))],
      ],
      this.#ports.backoff,
    );
    return cancelled === null;
  }
}
