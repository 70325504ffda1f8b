import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../accounts/domain/audit.ts';
import type { AccessToken, AccessTokenSettings, AccessTokens } from '../../chat/domain/access-tokens.ts';
import type { ApplicationId } from '../../chat/domain/application.ts';
import { type DailyBudgets, DEFAULT_BUDGETS } from '../../chat/domain/visitor-budgets.ts';
import { PRESENT } from '../dynamodb/expressions.ts';
import { accessTokenKey, ownedAccessTokenKey, ownedAccessTokens, workspacePartition } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { transactOrRetry } from '../dynamodb/transactions.ts';
import { applicationExists, auditWrites } from './dynamo-applications.ts';

/** A token has its own partition, since it is looked up before its workspace is known; a copy is stored with its application. */
export class DynamoAccessTokens implements AccessTokens {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: DynamoTable;
  readonly #accounts: DynamoTable | null;

  /** @param accounts table of the audit trail; null where nothing is changed. */
  constructor(client: DynamoDBDocumentClient, table: string, accounts: string | null) {
    this.#client = client;
    this.#table = new DynamoTable(client, table);
    this.#accounts = accounts === null ? null : new DynamoTable(client, accounts);
  }

  async find(tokenId: string): Promise<AccessToken | null> {
    const item = await this.#table.get<StoredToken>(accessTokenKey(tokenId));
    return item && tokenOf(item);
  }

  async list({ workspaceId, applicationId }: ApplicationId): Promise<AccessToken[]> {
    const query = { partition: workspacePartition(workspaceId), prefix: ownedAccessTokens(applicationId) };
    const tokens: AccessToken[] = [];
    for await (const item of this.#table.query<StoredToken>(query)) tokens.push(tokenOf(item));
    return tokens;
  }

  async create(token: AccessToken, audit: AuditEntry): Promise<boolean> {
    const { workspaceId, applicationId, tokenId } = token;
    const cancelled = await transactOrRetry(this.#client, [
      ['application', applicationExists(this.#table, token)],
      ['token', this.#table.putPart({ ...token, ...accessTokenKey(tokenId) })],
      ['copy', this.#table.putPart({ ...token, ...ownedAccessTokenKey(workspaceId, applicationId, tokenId) })],
      ...auditWrites(this.#accounts, audit),
    ]);
    if (cancelled === null) return true;
    if (cancelled.failed('application')) return false;
    throw new Error('An access token could not be stored.');
  }

  async change(
    application: ApplicationId,
    tokenId: string,
    change: Partial<AccessTokenSettings> & { readonly sessionKey?: string },
    audit: AuditEntry,
  ): Promise<AccessToken | null> {
    const { workspaceId, applicationId } = application;
    const set = { tokenId, ...change };
    const cancelled = await transactOrRetry(this.#client, [
      ['copy', this.#table.updatePart(ownedAccessTokenKey(workspaceId, applicationId, tokenId), { set })],
      ['token', this.#table.updatePart(accessTokenKey(tokenId), { set })],
      ...auditWrites(this.#accounts, audit),
    ]);
    if (cancelled === null) return this.find(tokenId);
    if (cancelled.failed('copy') || cancelled.failed('token')) return null;
    throw new Error('An access token could not be changed.');
  }

  async remove({ workspaceId, applicationId }: ApplicationId, tokenId: string, audit: AuditEntry): Promise<boolean> {
    const cancelled = await transactOrRetry(this.#client, [
      ['copy', this.#table.deletePart(ownedAccessTokenKey(workspaceId, applicationId, tokenId), PRESENT)],
      ['token', this.#table.deletePart(accessTokenKey(tokenId))],
      ...auditWrites(this.#accounts, audit),
    ]);
    if (cancelled === null) return true;
    if (cancelled.failed('copy')) return false;
    throw new Error('An access token could not be revoked.');
  }
}

/** Tokens of earlier versions lack what came later. */
type StoredToken = Partial<AccessToken> & Omit<AccessToken, 'sessionKey' | 'allowedOrigins' | keyof DailyBudgets>;

function tokenOf(item: StoredToken): AccessToken {
  const { workspaceId, applicationId, tokenId, name, allowedOrigins = [], hash, sessionKey = null, createdAt } = item;
  const { requestsPerDay, tokensPerDay, visitorRequestsPerDay, visitorTokensPerDay } = { ...DEFAULT_BUDGETS, ...item };
  const budgets = { requestsPerDay, tokensPerDay, visitorRequestsPerDay, visitorTokensPerDay };
  return { workspaceId, applicationId, tokenId, name, allowedOrigins, ...budgets, hash, sessionKey, createdAt };
}
