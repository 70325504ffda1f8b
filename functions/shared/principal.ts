export type Scope = 'extraction' | 'chat' | 'sandbox';
export const ALL_SCOPES = ['extraction', 'chat', 'sandbox'] as const satisfies readonly Scope[];
export type Role = 'viewer' | 'admin' | 'owner';

/** Id of the key that a principal came with; null for a person. */
export function keyIdOf({ kind, id }: Pick<Principal, 'kind' | 'id'>): string | null {
  return kind === 'key' ? id : null;
}

/** Who a request acts for. */
export interface Principal {
  readonly workspaceId: string;
  readonly kind: 'user' | 'key' | 'public-token' | 'channel';
  /** Of the user, the key, the token or the channel. */
  readonly id: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  /** Session of a user, which logging out ends. */
  readonly sessionId?: string;
  /** Of a public token. */
  readonly publicAccess?: PublicAccess;
}

/** A public token in the hands of one of its visitors. */
export interface PublicAccess {
  /** Application that the token stands for. */
  readonly applicationId: string;
  /** Key that signs the session ids of visitors; null: the token is older than these. */
  readonly sessionKey: string | null;
}
