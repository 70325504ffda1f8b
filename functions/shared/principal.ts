export type Scope = 'extraction' | 'chat' | 'sandbox';
export const ALL_SCOPES: readonly Scope[] = ['extraction', 'chat', 'sandbox'];
export type Role = 'viewer' | 'admin' | 'owner';

/** Who a request acts for. */
export interface Principal {
  readonly workspaceId: string;
  readonly kind: 'user' | 'key' | 'public-token';
  /** Of the user, the key or the token. */
  readonly id: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
}
