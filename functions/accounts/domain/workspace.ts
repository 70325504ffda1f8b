import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { ALL_SCOPES } from '../../shared/principal.ts';
import type { Account, LedgerEntry } from './account.ts';
import { apiKeyId, hashApiKey } from './api-key.ts';
import type { ApiKeyRecord } from './authenticate.ts';
import { type ConfirmationNotice, confirmationNotice } from './confirmation-notice.ts';
import type { PasswordHasher } from './password.ts';
import { type LoginCredential, normalEmail, type User } from './user.ts';

/** A new workspace with all of its records: stored together or not at all. */
export interface NewWorkspace {
  readonly workspaceId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly owner: User;
  readonly credential: LoginCredential;
  readonly apiKey: ApiKeyRecord;
  readonly account: Account;
  readonly openingEntry: LedgerEntry;
  /** Asks for the mail that confirms the owner's address; null where nothing waits for it. */
  readonly confirmation: ConfirmationNotice | null;
}

export interface Workspaces {
  exists(workspaceId: string): Promise<boolean>;
  nameOf(workspaceId: string): Promise<string | null>;
  /**
   * One transaction. A workspace that waits for a confirmation does not occupy the address, and expires without one.
   * @throws EmailTaken
   */
  create(workspace: NewWorkspace): Promise<void>;
}

export class EmailTaken extends Error {
  override name = 'EmailTaken';
}

export interface WorkspacePlan {
  readonly workspaceId: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** The text of the first key, made by `newApiKey`; it gets every scope. */
  readonly apiKey: string;
  readonly openingBalanceKrw: number;
  /** By default 'known'. */
  readonly address?: AddressProof;
  /** False: its notice sends no mail. By default true. */
  readonly isMailed?: boolean;
}

/** The proof of the owner's address when a workspace is made. */
export type AddressProof =
  /** The operator vouches for it. */
  | 'known'
  /** Nothing, and the deployment asks for no confirmation. */
  | 'unproved'
  /** Nothing, and the workspace can cost nothing before its owner has confirmed it. */
  | 'to-be-confirmed';

/** @throws Error when the plan's key is malformed or its opening balance no whole amount. */
export async function planWorkspace(
  plan: WorkspacePlan,
  { clock, ids, hasher }: { clock: Clock; ids: Ids; hasher: PasswordHasher },
): Promise<NewWorkspace> {
  const { workspaceId, name, openingBalanceKrw, address = 'known', isMailed = true } = plan;
  const keyId = apiKeyId(plan.apiKey);
  if (keyId === null) throw new Error('The API key of a new workspace is malformed.');
  if (!Number.isSafeInteger(openingBalanceKrw) || openingBalanceKrw < 0)
    throw new Error(`An opening balance is a whole amount of KRW, not ${openingBalanceKrw}.`);
  const createdAt = new Date(clock.now()).toISOString();
  const email = normalEmail(plan.email);
  const userId = ids.next('usr');
  const waiting = address === 'to-be-confirmed' ? ({ awaitsConfirmation: true } as const) : {};
  return {
    workspaceId,
    name,
    createdAt,
    owner: { userId, workspaceId, email, role: 'owner', sessionEpoch: 0, createdAt, ...waiting },
    credential: {
      email,
      userId,
      workspaceId,
      passwordHash: await hasher.hash(plan.password),
      ...(address !== 'known' && { isUnconfirmed: true }),
    },
    confirmation:
      address === 'to-be-confirmed'
        ? { ...confirmationNotice({ userId, email, createdAt }, ids), ...(!isMailed && { isSilent: true as const }) }
        : null,
    apiKey: {
      id: keyId,
      workspaceId,
      name: 'first key',
      scopes: ALL_SCOPES,
      hash: hashApiKey(plan.apiKey),
      createdAt,
      validUntil: null,
      revokedAt: null,
      lastUsedAt: null,
      ...waiting,
    },
    account: {
      workspaceId,
      balanceKrw: openingBalanceKrw,
      freeCallsUsed: 0,
      lowBalanceThresholdKrw: null,
      lowBalanceNotified: false,
      updatedAt: openingBalanceKrw > 0 ? createdAt : null,
      version: 1,
    },
    openingEntry: {
      entryId: ids.next('led'),
      workspaceId,
      sequence: 1,
      kind: 'opening',
      amountKrw: openingBalanceKrw,
      balanceKrw: openingBalanceKrw,
      reference: null,
      createdAt,
    },
  };
}
