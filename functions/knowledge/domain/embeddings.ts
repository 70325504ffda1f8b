import type { BaseId, EmbeddingConfig } from './knowledge-base.ts';
import type { Vectors } from './segment.ts';

/** Models that make vectors of texts. */
export interface Embeddings {
  /**
   * One vector a text, each of length 1. @param purpose some models make other vectors of questions than of passages.
   * @throws EmbeddingFailed; what `signal` was aborted with.
   */
  embed(
    owner: { readonly base: BaseId; readonly config: EmbeddingConfig },
    texts: readonly string[],
    purpose: 'passage' | 'question',
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]>;
}

interface EmbeddingFailure {
  readonly isPassing: boolean;
  readonly asksForLess?: boolean;
  readonly cause?: unknown;
}

/** Why there are no vectors. The message is for the owner of the base. */
export class EmbeddingFailed extends Error {
  override name = 'EmbeddingFailed';
  /** True when another attempt may do better. */
  readonly isPassing: boolean;
  /** True when a request with fewer texts may do better. */
  readonly asksForLess: boolean;

  constructor(message: string, { isPassing, asksForLess = false, cause }: EmbeddingFailure) {
    super(message, { cause });
    this.isPassing = isPassing;
    this.asksForLess = asksForLess;
  }
}

/** Identifies the vectors of a base in its segments. */
export function vectorModel({ provider, model, dimensions }: EmbeddingConfig): string {
  return JSON.stringify([provider, model, dimensions]);
}

/** A vector of length 1 in the direction of another one; null where it has none. */
export function unit(vector: readonly number[]): Float32Array | null {
  const length = Math.hypot(...vector);
  return Number.isFinite(length) && length > 0 ? Float32Array.from(vector, (each) => each / length) : null;
}

/** Vectors one behind the other. @throws EmbeddingFailed when they are of several lengths. */
export function joined(model: string, vectors: readonly Float32Array[]): Vectors {
  const dimensions = vectors[0]?.length ?? 0;
  if (vectors.some(({ length }) => length !== dimensions))
    throw new EmbeddingFailed('The embedding model makes vectors of several lengths.', { isPassing: false });
  const values = new Float32Array(vectors.length * dimensions);
  for (const [index, vector] of vectors.entries()) values.set(vector, index * dimensions);
  return { model, dimensions, values };
}
