import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { EngineEvent } from '../../workflows/domain/engine/engine-events.ts';
import type { S3Objects } from '../s3/s3-objects.ts';

/** Smaller texts are stored as they are. */
const MIN_PACKED_LENGTH = 4_096;
/** An item has at most 400 KB, and is billed by its size: from about here on an object is cheaper, and costs the time of one more request. */
const MAX_INLINE_BYTES = 64_000;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Events of an entry in its item: as they are, or a reference to the object that holds them, with the key that decrypts it. */
export type KeptEvents = string | Uint8Array | { readonly object: string; readonly key: Uint8Array };

/** The bucket, loaded at first use. */
export type RunObjects = () => Promise<Pick<S3Objects, 'put' | 'get'>>;

/**
 * Events of runs: small ones in the items of their entries, large ones in a bucket. A value ends with its entry at the latest, whether
 * the entry expires, or is erased, or its workspace keeps records for fewer days: the entry has the only key.
 */
export class RunContents {
  readonly #bucket: RunObjects;

  constructor(bucket: RunObjects) {
    this.#bucket = bucket;
  }

  /** @param name of the object; its first folder is the workspace's, which erasures empty. */
  async keep(name: string, events: readonly EngineEvent[]): Promise<KeptEvents> {
    const content = packed(events);
    if (content.length <= MAX_INLINE_BYTES) return content;
    const key = randomBytes(KEY_BYTES);
    await (await this.#bucket()).put(name, encrypted(Buffer.from(content), key));
    return { object: name, key };
  }

  async read(kept: KeptEvents): Promise<readonly EngineEvent[]> {
    if (typeof kept === 'string' || kept instanceof Uint8Array) return unpacked<EngineEvent[]>(kept);
    const bytes = await (await this.#bucket()).get(kept.object);
    if (bytes === null) throw new Error(`The object ${kept.object} of a run is gone before its record.`);
    return unpacked<EngineEvent[]>(decrypted(bytes, kept.key));
  }
}

export function packed(value: object): string | Uint8Array {
  const text = JSON.stringify(value);
  return text.length < MIN_PACKED_LENGTH ? text : gzipSync(text);
}

export function unpacked<T>(stored: string | Uint8Array): T {
  return JSON.parse(typeof stored === 'string' ? stored : gunzipSync(stored).toString()) as T;
}

function encrypted(bytes: Uint8Array, key: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const content = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]);
}

function decrypted(bytes: Uint8Array, key: Uint8Array): Uint8Array {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}
