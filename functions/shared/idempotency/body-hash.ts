import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/**
 * SHA-256 of the canonical JSON text of a body (RFC 8785), hexadecimal: the same for bodies that mean the same.
 * @throws Error for half of a surrogate pair, which no parsed body has
 */
export function bodyHash(body: object): string {
  return createHash('sha256').update(canonicalize(body)!).digest('hex');
}
