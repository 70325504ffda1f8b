import { ExecutionFailed } from '../../sandbox/domain/execution-refused.ts';
import type { Run } from '../../sandbox/domain/run.ts';
import { SandboxUnavailable } from '../../sandbox/domain/sandbox-pool.ts';

/** Reads a stored file of a program; null: it is gone. */
export type OpenInput = (object: string) => Promise<AsyncIterable<Uint8Array> | null>;

/** The body of a run: JSON, followed by the contents of its stored files, which are read while they are sent. */
export class RunBody {
  /** Length of the JSON. */
  readonly headBytes: number;
  readonly bytes: number;
  readonly #head: Buffer;
  readonly #stored: readonly { readonly object: string; readonly size: number; readonly path: string }[];
  readonly #open: OpenInput;
  #failure: Error | null = null;

  constructor({ files, ...run }: Run, open: OpenInput) {
    const sent = files?.map((file) => (file.base64 === undefined ? { path: file.path, size: file.size } : file));
    this.#head = Buffer.from(JSON.stringify(sent === undefined ? run : { ...run, files: sent }));
    this.#stored = files?.filter((file) => file.base64 === undefined) ?? [];
    this.#open = open;
    this.headBytes = this.#head.length;
    this.bytes = this.#stored.reduce((sum, { size }) => sum + size, this.headBytes);
  }

  get hasStored(): boolean {
    return this.#stored.length > 0;
  }

  /** Why the files could not be read: nothing of the program can have started then. */
  get failure(): Error | null {
    return this.#failure;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    yield this.#head;
    for (const { object, size, path } of this.#stored) {
      let left = size;
      try {
        const content = await this.#open(object);
        if (content === null) throw new ExecutionFailed(`Its file ${path} is no longer stored. Upload it again.`);
        for await (const chunk of content) {
          left -= chunk.length;
          if (left < 0) break;
          yield chunk;
        }
        if (left !== 0) throw new Error(`It has ${size - left} bytes and not ${size}.`);
      } catch (cause) {
        this.#failure = cause instanceof ExecutionFailed ? cause : unreadable(path, cause);
        throw this.#failure;
      }
    }
  }
}

function unreadable(path: string, cause: unknown): SandboxUnavailable {
  return new SandboxUnavailable(`Its file ${path} could not be read. Please try again.`, { cause });
}
