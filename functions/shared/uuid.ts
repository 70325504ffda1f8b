import type { RandomBytes } from './ports/random-bytes.ts';

/** A UUID of version 7: it starts with the time, so that ids sort in the order of their creation. */
export function uuidV7(nowMs: number, random: RandomBytes): string {
  const bytes = Buffer.from(random(16));
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Any UUID in its usual form. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
