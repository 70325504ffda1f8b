import type { Frame } from './reply.ts';

export interface Interruption {
  readonly signal: AbortSignal;
  /** The frames that end a stream which failed or was interrupted. */
  readonly last: (error: unknown) => readonly Frame[];
  /** Takes the end of the source's own cleaning up, which the stream does not wait for. */
  readonly settled: (work: Promise<unknown>) => void;
}

/** The frames of a source until it ends, fails, or the signal aborts, even if the source ignores the signal. */
export async function* interruptible(source: AsyncIterable<Frame>, { signal, last, settled }: Interruption) {
  const frames = source[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  try {
    for (;;) {
      const next = await Promise.race([frames.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    yield* last(error);
  } finally {
    // A source that is in the middle of something ends after it: the signal has asked it to.
    if (frames.return) settled(frames.return());
  }
}
