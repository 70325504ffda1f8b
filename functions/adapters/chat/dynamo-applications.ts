import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import { type Application, type ApplicationId, DEFAULT_CONFIG, DEFAULT_MODEL } from '../../chat/domain/application.ts';
import type { Applications, CreateOutcome, ReplaceOutcome } from '../../chat/domain/application-ports.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import { auditPart } from '../accounts/dynamo-audit.ts';
import { ABSENT, equal, PRESENT } from '../dynamodb/expressions.ts';
import {
  APPLICATIONS,
  accessTokenKey,
  applicationKey,
  applicationNameKey,
  ownedAccessTokenKey,
  ownedAccessTokens,
  workspacePartition,
} from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { type TransactItem, transactOrRetry } from '../dynamodb/transactions.ts';

type Part = 'application' | 'name' | 'freed name' | 'token' | 'audit';

/** An item for each application, and one for each name that is taken. */
export class DynamoApplications implements Applications {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #accounts: DynamoTable | null;
  readonly #backoff: Backoff;

  /** @param accounts table of the audit trail; null where nothing is changed. */
  constructor(client: DynamoDBDocumentClient, table: string, accounts: string | null, backoff: Backoff) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#accounts = accounts === null ? null : new DynamoTable(client, accounts);
    this.#backoff = backoff;
  }

  async find({ workspaceId, applicationId }: ApplicationId): Promise<Application | null> {
    const item = await this.#table.get<Application>(applicationKey(workspaceId, applicationId));
    return item === null ? null : applicationOf(item);
  }

  async list(workspaceId: string, limit: number, before: string | null): Promise<Application[]> {
    const found: Application[] = [];
    let after = before === null ? undefined : applicationKey(workspaceId, before);
    do {
      const { items, last } = await this.#table.page<Application>({
        partition: workspacePartition(workspaceId),
        prefix: APPLICATIONS,
        descending: true,
        limit: limit - found.length,
        ...(after && { after }),
      });
      found.push(...items.map(applicationOf));
      after = last as typeof after;
      // A page ends after 1 MB, however few applications that are.
    } while (found.length < limit && after !== undefined);
    return found;
  }

  async create(application: Application, audit: AuditEntry): Promise<CreateOutcome> {
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['application', this.#put(application)],
        ['name', this.#takeName(application)],
        ...auditWrites(this.#accounts, audit),
      ],
      this.#backoff,
    );
    // The SDK repeats a write whose response was lost, with the same token: it does not meet itself.
    if (cancelled !== null && !cancelled.failed('name')) throw new Error('An application has the id of another one.');
    return cancelled === null ? 'created' : 'name_taken';
  }

  async replace(seen: Application, next: Application, audit: AuditEntry): Promise<ReplaceOutcome> {
    const cancelled = await transactOrRetry(
      this.#client,
      [
        ['application', this.#put(next, equal('version', seen.version))],
        ...(next.name === seen.name
          ? []
          : ([
              ['name', this.#takeName(next)],
              ['freed name', this.#table.deletePart(applicationNameKey(seen.workspaceId, seen.name))],
            ] as const)),
        ...auditWrites(this.#accounts, audit),
      ],
      this.#backoff,
    );
    if (cancelled === null) return 'replaced';
    return cancelled.failed('application') ? 'changed' : 'name_taken';
  }

  async remove({ workspaceId, applicationId, name, version }: Application, audit: AuditEntry): Promise<boolean> {
    const tokens = this.#table.query<{ readonly tokenId: string }>({
      partition: workspacePartition(workspaceId),
      prefix: ownedAccessTokens(applicationId),
    });
    const writes: [Part, TransactItem][] = [
      ['application', this.#table.deletePart(applicationKey(workspaceId, applicationId), equal('version', version))],
      ['freed name', this.#table.deletePart(applicationNameKey(workspaceId, name))],
      ...auditWrites(this.#accounts, audit),
    ];
    for await (const { tokenId } of tokens)
      writes.push(
        ['token', this.#table.deletePart(accessTokenKey(tokenId))],
        ['token', this.#table.deletePart(ownedAccessTokenKey(workspaceId, applicationId, tokenId))],
      );
    return (await transactOrRetry(this.#client, writes, this.#backoff)) === null;
  }

  #put(application: Application, condition = ABSENT): TransactItem {
    const { workspaceId, applicationId } = application;
    return this.#table.putPart({ ...application, ...applicationKey(workspaceId, applicationId) }, condition);
  }

  #takeName({ workspaceId, applicationId, name }: Application): TransactItem {
    return this.#table.putPart({ ...applicationNameKey(workspaceId, name), applicationId });
  }
}

/** The parts of a transaction that store the entry of its act. */
export function auditWrites(accounts: DynamoTable | null, audit: AuditEntry): ['audit', TransactItem][] {
  if (accounts === null) throw new Error('An act is recorded in the audit trail, and there is none here.');
  return [['audit', auditPart(accounts, audit)]];
}

/** Condition that an application exists, for writes that belong to it. */
export function applicationExists(table: DynamoTable, { workspaceId, applicationId }: ApplicationId): TransactItem {
  return table.checkPart(applicationKey(workspaceId, applicationId), PRESENT);
}

function applicationOf(item: Application): Application {
  const { workspaceId, applicationId, name, type, description, config, version, createdAt, updatedAt } = item;
  return {
    ...{ workspaceId, applicationId, name, type, description, version, createdAt, updatedAt },
    // One that was stored before a setting was there has its default.
    config: {
      ...DEFAULT_CONFIG,
      ...config,
      model: { ...DEFAULT_MODEL, ...config.model },
      fallbacks: (config.fallbacks ?? []).map((each) => ({ ...DEFAULT_MODEL, ...each })),
    },
  };
}
