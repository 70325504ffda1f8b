import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Zip, ZipDeflate } from 'fflate';
import type { Archive } from '../../accounts/domain/export-workspace.ts';

/** Texts are collected up to here: small ones hardly compress. */
const CHUNK_CHARACTERS = 256 * 1024;

/** An archive that is written to a temporary file, so that it may be larger than memory, and sent to a bucket as a whole. */
export class ZipArchive implements Archive {
  readonly #bucket: string;
  readonly #client: S3Client;
  #folder: string | null = null;
  #output: WriteStream | null = null;
  #zip: Zip | null = null;
  #entry: { readonly name: string; readonly deflate: ZipDeflate } | null = null;
  #waiting = '';
  #isFull = false;

  constructor(bucket: string, client: S3Client) {
    this.#bucket = bucket;
    this.#client = client;
  }

  async write(file: string, text: string): Promise<void> {
    if (this.#entry?.name !== file) await this.#begin(file);
    this.#waiting += text;
    if (this.#waiting.length >= CHUNK_CHARACTERS) await this.#flush(false);
  }

  async store(key: string): Promise<number> {
    await this.#open();
    if (this.#entry) await this.#flush(true);
    this.#zip!.end();
    this.#output!.end();
    await finished(this.#output!);
    const { size } = await stat(this.#path());
    await this.#client.send(
      new PutObjectCommand({
        Bucket: this.#bucket,
        Key: key,
        Body: createReadStream(this.#path()),
        ContentLength: size,
        ContentType: 'application/zip',
      }),
    );
    return size;
  }

  async discard(): Promise<void> {
    this.#output?.destroy();
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
  }

  async #begin(file: string): Promise<void> {
    await this.#open();
    if (this.#entry) await this.#flush(true);
    const deflate = new ZipDeflate(file, { level: 6 });
    this.#zip!.add(deflate);
    this.#entry = { name: file, deflate };
  }

  async #open(): Promise<void> {
    if (this.#folder !== null) return;
    this.#folder = await mkdtemp(join(tmpdir(), 'export-'));
    this.#output = createWriteStream(this.#path());
    this.#zip = new Zip((error, chunk) => {
      if (error) this.#output?.destroy(error);
      else this.#isFull = !this.#output!.write(chunk);
    });
  }

  async #flush(isLast: boolean): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    this.#entry!.deflate.push(Buffer.from(text), isLast);
    if (!this.#isFull) return;
    this.#isFull = false;
    await once(this.#output!, 'drain');
  }

  #path(): string {
    return join(this.#folder!, 'export.zip');
  }
}
