import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { newSigningSecret, type SigningSecret } from '../../accounts/domain/signing-key.ts';

/** The secret in a file that only its owner can read, made at first use. For a service on one machine. */
export class FileSigningSecret implements SigningSecret {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<string> {
    const known = await this.#known();
    if (known !== null) return known;
    const temporary = await this.#write(newSigningSecret(randomBytes));
    try {
      // Unlike a rename it fails where another process was first: both then read the same one.
      await link(temporary, this.#path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      await rm(temporary, { force: true });
    }
    return this.read();
  }

  async replace(text: string): Promise<void> {
    await rename(await this.#write(text), this.#path);
  }

  async #known(): Promise<string | null> {
    try {
      const text = (await readFile(this.#path, 'utf8')).trim();
      if (text === '') throw new Error(`${this.#path} holds no signing key; delete it, and a new one is made.`);
      return text;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async #write(text: string): Promise<string> {
    const temporary = `${this.#path}.${randomBytes(6).toString('hex')}.tmp`;
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${text}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    return temporary;
  }
}
