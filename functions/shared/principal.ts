export type Scope = 'extraction' | 'chat' | 'sandbox';
export const ALL_SCOPES = ['extraction', 'chat', 'sandbox'] as const satisfies readonly Scope[];
export type Role = 'viewer' | 'admin' | 'owner';

interface Caller {
  readonly kind: string;
  readonly id: string;
}

/** Id of the key that a principal came with; null for a person. */
export function keyIdOf({ kind, id }: Caller): string | null {
  return kind === 'key' ? id : null;
}

/** Id of the public token that a visitor came with; null for any other caller. */
export function accessTokenIdOf({ kind, id }: Caller): string | null {
  return kind === 'public-token' ? id : null;
}

/** The user, key or visitor that a request acts for. */
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
  /** Present while the workspace's owner has not confirmed the e-mail address: it may look, and cost nothing. */
  readonly awaitsConfirmation?: true;
  /** Present for a person without the second factor that the workspace requires: they can do nothing but enrol one. */
  readonly mustEnrol?: true;
}

/** A public token in the hands of one of its visitors. */
export interface PublicAccess {
  /** Application that the token stands for. */
  readonly applicationId: string;
  /** Identifies the visitor as well as possible: by its address. */
  readonly visitor: string;
  /** Daily budgets of each visitor, and of all visitors together; null: unlimited. */
  readonly budgets: {
    readonly requestsPerDay: number | null;
    readonly tokensPerDay: number | null;
    readonly visitorRequestsPerDay: number | null;
    readonly visitorTokensPerDay: number | null;
  };
  /** Key that signs the session ids of visitors; null: the token is older than these. */
  readonly sessionKey: string | null;
}
