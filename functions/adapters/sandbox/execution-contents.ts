import type { ExecutionId } from '../../sandbox/domain/execution.ts';
import type { Output } from '../../sandbox/domain/output.ts';
import { MAX_OUTPUT_FILES } from '../../sandbox/domain/output-files.ts';
import type { Run } from '../../sandbox/domain/run.ts';
import type { S3Objects } from '../s3/s3-objects.ts';
import { outputFileKey } from './output-file-key.ts';

/**
 * An item may hold 400 KB, and is billed by its size at every change. From about here on an object is cheaper, and most
 * programs and outputs are shorter.
 */
const MAX_INLINE_BYTES = 8 * 1024;

/** An attribute of an execution's item: a program or an output as JSON, or a mark that it is in the bucket. */
export type Kept = string | typeof IN_BUCKET;
const IN_BUCKET = 0;

interface Parts {
  readonly program: Run;
  readonly output: Output;
}

/** The bucket, loaded at first use. */
export type LargeObjects = () => Promise<Pick<S3Objects, 'put' | 'get' | 'remove'>>;

/** Programs and outputs: small ones in the item of their execution, large ones in a bucket. */
export class ExecutionContents {
  readonly #bucket: LargeObjects;

  constructor(bucket: LargeObjects) {
    this.#bucket = bucket;
  }

  async keep<Part extends keyof Parts>(id: ExecutionId, part: Part, value: Parts[Part]): Promise<Kept> {
    const text = JSON.stringify(value);
    const bytes = Buffer.from(text);
    if (bytes.length <= MAX_INLINE_BYTES) return text;
    await (await this.#bucket()).put(objectKey(id, part), bytes);
    return IN_BUCKET;
  }

  /** @returns null when there is none, or it has expired. */
  async read<Part extends keyof Parts>(
    id: ExecutionId,
    part: Part,
    kept: Kept | undefined,
  ): Promise<Parts[Part] | null> {
    const text = kept === IN_BUCKET ? (await (await this.#bucket()).get(objectKey(id, part)))?.toString() : kept;
    return text ? JSON.parse(text) : null;
  }

  async remove(id: ExecutionId): Promise<void> {
    const files = Array.from({ length: MAX_OUTPUT_FILES }, (_, index) => outputFileKey(id, index));
    await (await this.#bucket()).remove(objectKey(id, 'program'), objectKey(id, 'output'), ...files);
  }
}

const objectKey = ({ workspaceId, executionId }: ExecutionId, part: keyof Parts) =>
  `${workspaceId}/${executionId}/${part}`;
