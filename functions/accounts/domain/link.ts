import { createHash } from 'node:crypto';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';

/** A link that was mailed, by the hash of its token. It is good for as long as its purpose waits, and no later than its end. */
export type Link = {
  readonly hash: string;
  readonly expiresAtMs: number;
} & (
  | { readonly kind: 'invitation'; readonly workspaceId: string; readonly invitationId: string }
  /** Good for one new password: `passwordDigest` names the one that it replaces. Several wait side by side. */
  | {
      readonly kind: 'password_reset';
      readonly userId: string;
      readonly email: string;
      readonly passwordDigest: string;
    }
  | { readonly kind: 'confirmation'; readonly userId: string }
);

export interface Links {
  find(hash: string): Promise<Link | null>;
  put(link: Link): Promise<void>;
}

const TOKEN_BYTES = 32;

export function newLinkToken(random: RandomBytes): string {
  return Buffer.from(random(TOKEN_BYTES)).toString('base64url');
}

/** Names a stored password hash without holding it. */
export function passwordDigest(passwordHash: string): string {
  return createHash('sha256').update(passwordHash).digest('base64url');
}

/** A token has 256 bits: one SHA-256 is enough. */
export function linkHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
