import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { LANGUAGES, type Run } from '../../functions/sandbox/domain/run.ts';
import type { PlacedFile } from './place-files.ts';
import { Refused } from './refused.ts';

/** A run with the contents of its files. */
export interface ReceivedRun extends Omit<Run, 'files'> {
  readonly files?: readonly PlacedFile[];
}

/** All files of a run. */
const MAX_FILE_BYTES = 24 * 1024 * 1024;
/** Files of 8 MiB in base64, and code of 1 MiB and input of 4 MiB in JSON: a control character becomes six. */
const MAX_HEAD_BYTES = 64 * 1024 * 1024;

/** Whether a path stays in the directory that it is relative to. */
function leadsNowhereElse(path: string): boolean {
  return !/[\0\\]/.test(path) && path.split('/').every((segment) => !['', '.', '..'].includes(segment));
}

const path = z.string().refine(leadsNowhereElse);

/** The limits of a run, checked again: a runner does not rely on its dispatcher. */
const runSchema = z.strictObject({
  language: z.enum(LANGUAGES),
  code: z.string(),
  stdin: z.string(),
  environment: z.record(z.string(), z.string()),
  timeoutSeconds: z.number().positive().max(300),
  resources: z.strictObject({
    cpu: z.int().min(1).max(2),
    memoryMb: z.int().min(1).max(2048),
    diskMb: z.int().min(1).max(1024),
  }),
  arguments: z.array(z.string()).exactOptional(),
  files: z
    .array(
      z.union([
        z.strictObject({ path, base64: z.string() }),
        z.strictObject({ path, size: z.int().min(0).max(MAX_FILE_BYTES) }),
      ]),
    )
    .exactOptional(),
  main: path.exactOptional(),
  reportsUse: z.boolean().exactOptional(),
  keptSession: z.string().exactOptional(),
});

/** Reads the JSON of a run, as long as `x-run-bytes` says, and the contents of its stored files after it, in their order. */
export async function readRun(request: IncomingMessage): Promise<ReceivedRun> {
  const { headers } = request;
  // A dispatcher without stored files sends JSON alone.
  const headBytes = Number(headers['x-run-bytes'] ?? headers['content-length']);
  if (!Number.isSafeInteger(headBytes) || headBytes < 0)
    throw new Refused(400, 'x-run-bytes is the length of the JSON.');
  if (headBytes > MAX_HEAD_BYTES) throw new Refused(413, 'The run is too large.');
  const body = new Body(request);
  const { files, ...run } = parsed(await body.take(headBytes));
  if (files === undefined) return run;
  const storedBytes = files.reduce((sum, file) => sum + ('size' in file ? file.size : 0), 0);
  if (storedBytes > MAX_FILE_BYTES) throw new Refused(413, 'The files are too large.');
  const received: PlacedFile[] = [];
  for (const file of files)
    received.push({
      path: file.path,
      bytes: 'size' in file ? await body.take(file.size) : Buffer.from(file.base64, 'base64'),
    });
  return { ...run, files: received };
}

function parsed(json: Buffer): z.output<typeof runSchema> {
  try {
    return runSchema.parse(JSON.parse(json.toString('utf8')));
  } catch (cause) {
    throw new Refused(400, `This is not a run: ${(cause as Error).message}`);
  }
}

/** A request's body, in parts of known sizes. */
class Body {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(request: IncomingMessage) {
    this.#chunks = request[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async take(size: number): Promise<Buffer> {
    const taken = Buffer.allocUnsafe(size);
    for (let length = 0; length < size; ) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#chunks.next();
        if (done) throw new Refused(400, 'The run ended too early.');
        this.#rest = value;
      }
      const copied = this.#rest.copy(taken, length);
      this.#rest = this.#rest.subarray(copied);
      length += copied;
    }
    return taken;
  }
}
