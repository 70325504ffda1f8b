import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a key in a file that only its owner can read; the file is made with the first secret. */
export class KeyFileSecretBox implements SecretBox {
  readonly #key: () => Promise<Buffer>;

  constructor(path: string) {
    this.#key = memoizeAsync(() => keyOf(path));
  }

  async seal(text: string, context: string): Promise<string> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, await this.#key(), nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  async open(sealed: string, context: string): Promise<string> {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv(ALGORITHM, await this.#key(), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const opened = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return opened.toString('utf8');
  }
}

async function keyOf(path: string): Promise<Buffer> {
  const known = await readKey(path);
  if (known !== null) return known;
  // Linked into its place when it is whole: of two who make it at once, the second takes the first one's.
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(randomBytes(KEY_BYTES).toString('base64'));
    await file.sync();
  } finally {
    await file.close();
  }
  await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(temporary);
  return (await readKey(path))!;
}

async function readKey(path: string): Promise<Buffer | null> {
  try {
    const key = Buffer.from(await readFile(path, 'utf8'), 'base64');
    if (key.length !== KEY_BYTES) throw new Error(`${path} holds no key of ${KEY_BYTES} bytes; put it right.`);
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
