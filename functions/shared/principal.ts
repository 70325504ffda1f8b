export type Scope = 'extraction' | 'chat' | 'sandbox';
export const ALL_SCOPES = ['extraction', 'chat', 'sandbox'] as const satisfies readonly Scope[];
export type Role = 'viewer' | 'admin' | 'owner';

/** Who a request acts for. */
export interface Principal {
  readonly workspaceId: string;
  readonly kind: 'user' | 'key' | 'public-token';
  /** Of the user, the key or the token. */
  readonly id: string;
  readonly role: Role;
  readonly scopes: readonly Scope[];
  /** Session of a user, which logging out ends. */
  readonly sessionId?: string;
}
