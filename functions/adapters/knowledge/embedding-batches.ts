import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddingFailed } from '../../knowledge/domain/embeddings.ts';

/** Texts of one request: servers on one machine take no more at a time. */
const BATCH_SIZE = 32;
/** Requests at the same time, as long as none takes too long. */
const CONCURRENCY = 4;
/** Requests for the same texts, if failures pass. */
const ATTEMPTS = 3;

export interface BatchOptions {
  readonly signal: AbortSignal;
  readonly attempts?: number;
  /** Milliseconds before the second attempt; doubled before each later one. */
  readonly waitMs?: number;
}

interface Batch {
  readonly from: number;
  readonly to: number;
  readonly attempt: number;
}

/**
 * Vectors of texts, in their order, asked for in batches. A batch that a server cannot take in time is halved, and from then on batches are
 * sent one after another; vectors that have arrived are kept. Other passing failures are tried again after a wait.
 * @throws EmbeddingFailed when one text alone fails; what the signal was aborted with.
 */
export async function inBatches(
  texts: readonly string[],
  ask: (texts: readonly string[]) => Promise<readonly Float32Array[]>,
  { signal, attempts = ATTEMPTS, waitMs = 1_000 }: BatchOptions,
): Promise<readonly Float32Array[]> {
  const made = new Array<Float32Array>(texts.length);
  const waiting: Batch[] = [];
  for (let from = 0; from < texts.length; from += BATCH_SIZE)
    waiting.push({ from, to: Math.min(from + BATCH_SIZE, texts.length), attempt: 1 });
  let allowed = CONCURRENCY;
  let failure: unknown;

  const take = async (batch: Batch) => {
    const { from, to, attempt } = batch;
    try {
      const vectors = await ask(texts.slice(from, to));
      for (const [index, vector] of vectors.entries()) made[from + index] = vector;
    } catch (error) {
      if (!(error instanceof EmbeddingFailed) || signal.aborted) throw error;
      if (error.asksForLess) allowed = 1;
      if (error.asksForLess && to - from > 1) waiting.unshift(...halves(batch));
      else if (error.isPassing && attempt < attempts) {
        await sleep(waitMs * 2 ** (attempt - 1), undefined, { signal });
        waiting.unshift({ from, to, attempt: attempt + 1 });
      } else throw error;
    }
  };
  const work = async (worker: number) => {
    while (worker < allowed && failure === undefined) {
      const batch = waiting.shift();
      if (batch === undefined) return;
      signal.throwIfAborted();
      await take(batch).catch((error: unknown) => {
        failure ??= error;
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, (_, worker) => work(worker)));
  // Batches that other workers returned after the first one had found none waiting.
  await work(0);
  if (failure !== undefined) throw failure;
  return made;
}

function halves({ from, to }: Batch): readonly Batch[] {
  const middle = (from + to) >>> 1;
  return [
    { from, to: middle, attempt: 1 },
    { from: middle, to, attempt: 1 },
  ];
}
