import { createHash } from 'node:crypto';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';

/** A link that was mailed, by the hash of its token. It is good for as long as what it leads to waits. */
export type Link = {
  readonly hash: string;
  readonly expiresAtMs: number;
} & (
  | { readonly kind: 'invitation'; readonly workspaceId: string; readonly invitationId: string }
  | { readonly kind: 'password_reset'; readonly userId: string; readonly resetId: string }
);

export interface Links {
  find(hash: string): Promise<Link | null>;
  put(link: Link): Promise<void>;
}

const TOKEN_BYTES = 32;

export function newLinkToken(random: RandomBytes): string {
  return Buffer.from(random(TOKEN_BYTES)).toString('base64url');
}

/** A token has 256 bits: one SHA-256 is enough. */
export function linkHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
