import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Workflow, WorkflowId, WorkflowVersion } from '../../workflows/domain/workflow.ts';
import type { CreateOutcome, ReplaceOutcome, Workflows } from '../../workflows/domain/workflow-ports.ts';
import { ABSENT, equal } from '../dynamodb/expressions.ts';
import {
  WORKFLOWS,
  workflowKey,
  workflowNameKey,
  workflowVersionKey,
  workflowVersions,
  workspacePartition,
} from '../dynamodb/keys.ts';
import { DynamoTable, type Item, type Key } from '../dynamodb/table.ts';
import { type TransactItem, transactOrRetry } from '../dynamodb/transactions.ts';
import { packed, unpacked } from './run-contents.ts';

type WorkflowItem = Omit<Workflow, 'draft'> & { readonly draft: string | Uint8Array };
type VersionItem = Omit<WorkflowVersion, 'graph'> & { readonly graph: string | Uint8Array } & Key;

/** An item for each workflow with its draft, one for each version, and one for each name that is taken. */
export class DynamoWorkflows implements Workflows {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #backoff: Backoff;

  constructor(client: DynamoDBDocumentClient, table: string, backoff: Backoff) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#backoff = backoff;
  }

  async find({ workspaceId, workflowId }: WorkflowId): Promise<Workflow | null> {
    const item = await this.#table.get<WorkflowItem>(workflowKey(workspaceId, workflowId));
    return item === null ? null : workflowOf(item);
  }

  async list(workspaceId: string, limit: number, before: string | null): Promise<Workflow[]> {
    const items = await this.#page<WorkflowItem>(workspaceId, WORKFLOWS, limit, before);
    return items.map(workflowOf);
  }

  async create(workflow: Workflow): Promise<CreateOutcome> {
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['workflow', this.#put(workflow)],
        ['name', this.#takeName(workflow)],
      ],
      this.#backoff,
    );
    if (cancelled !== null && !cancelled.failed('name')) throw new Error('A workflow has the id of another one.');
    return cancelled === null ? 'created' : 'name_taken';
  }

  async replace(seen: Workflow, next: Workflow, published: WorkflowVersion | null): Promise<ReplaceOutcome> {
    const { workspaceId, workflowId } = seen;
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['workflow', this.#put(next, equal('version', seen.version))],
        ...(next.name === seen.name
          ? []
          : ([
              ['name', this.#takeName(next)],
              ['freed name', this.#table.deletePart(workflowNameKey(workspaceId, seen.name))],
            ] as const)),
        ...(published === null
          ? []
          : ([
              [
                'version',
                this.#table.putPart({
                  ...published,
                  graph: packed(published.graph),
                  ...workflowVersionKey(workspaceId, workflowId, published.number),
                }),
              ],
            ] as const)),
      ],
      this.#backoff,
    );
    if (cancelled === null) return 'replaced';
    return cancelled.failed('name') ? 'name_taken' : 'changed';
  }

  async remove({ workspaceId, workflowId, name, version }: Workflow): Promise<boolean> {
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['workflow', this.#table.deletePart(workflowKey(workspaceId, workflowId), equal('version', version))],
        ['freed name', this.#table.deletePart(workflowNameKey(workspaceId, name))],
      ],
      this.#backoff,
    );
    if (cancelled !== null) return false;
    const versions = this.#table.query<Item & Key>({
      partition: workspacePartition(workspaceId),
      prefix: workflowVersions(workflowId),
    });
    // Without their workflow nothing refers to these versions; runs store their own graphs.
    for await (const { pk, sk } of versions) await this.#table.delete({ pk, sk });
    return true;
  }

  async findVersion({ workspaceId, workflowId }: WorkflowId, number: number): Promise<WorkflowVersion | null> {
    const item = await this.#table.get<VersionItem>(workflowVersionKey(workspaceId, workflowId, number));
    return item === null ? null : versionOf(item);
  }

  async listVersions(
    { workspaceId, workflowId }: WorkflowId,
    limit: number,
    before: number | null,
  ): Promise<WorkflowVersion[]> {
    const prefix = workflowVersions(workflowId);
    const last = before === null ? null : workflowVersionKey(workspaceId, workflowId, before).sk.slice(prefix.length);
    const items = await this.#page<VersionItem>(workspaceId, prefix, limit, last);
    return items.map(versionOf);
  }

  /** @param before what the sort key of the item to start after has behind the prefix. */
  async #page<T extends object>(
    workspaceId: string,
    prefix: string,
    limit: number,
    before: string | null,
  ): Promise<T[]> {
    const partition = workspacePartition(workspaceId);
    const found: T[] = [];
    let after: Key | undefined = before === null ? undefined : { pk: partition, sk: prefix + before };
    do {
      const query = { partition, prefix, descending: true, limit: limit - found.length, ...(after && { after }) };
      const { items, last } = await this.#table.page<T>(query);
      found.push(...items);
      after = last;
      // A page ends after 1 MB, however few graphs that are.
    } while (found.length < limit && after !== undefined);
    return found;
  }

  #put(workflow: Workflow, condition = ABSENT): TransactItem {
    const { workspaceId, workflowId, draft } = workflow;
    const item = { ...workflow, draft: packed(draft), ...workflowKey(workspaceId, workflowId) };
    return this.#table.putPart(item, condition);
  }

  #takeName({ workspaceId, workflowId, name }: Workflow): TransactItem {
    return this.#table.putPart({ ...workflowNameKey(workspaceId, name), workflowId });
  }
}

function workflowOf(item: WorkflowItem): Workflow {
  const { workspaceId, workflowId, name, description, draft, publishedVersion, version, createdAt, updatedAt } = item;
  return {
    ...{ workspaceId, workflowId, name, description, publishedVersion, version, createdAt, updatedAt },
    draft: unpacked(draft),
  };
}

function versionOf({ workspaceId, workflowId, number, graph, publishedAt, note }: VersionItem): WorkflowVersion {
  return { workspaceId, workflowId, number, graph: unpacked(graph), publishedAt, note };
}
