import type { Caller } from './execute.ts';
import type { ExecutionResult } from './execution.ts';

/** Events of an execution: output as it arrives, and finally the result. */
export type ExecutionEvent =
  | { readonly kind: 'stdout' | 'stderr'; readonly text: string }
  | { readonly kind: 'result'; readonly result: ExecutionResult };

/** Longest silence of a program before its stream starts: until then a refusal can still have its own status. */
const MAX_SILENCE_MS = 10_000;

/**
 * Runs a program as a stream. Resolves when the stream starts, and throws any error that occurs before.
 * @param run receives the callbacks for the runner's caller.
 * @param pause resolves after the given number of milliseconds.
 */
export async function executionStream(
  run: (options: Pick<Caller, 'onOutput' | 'takesFailures'>) => Promise<ExecutionResult>,
  pause: (ms: number) => Promise<unknown>,
): Promise<AsyncGenerator<ExecutionEvent>> {
  const waiting: ExecutionEvent[] = [];
  let wake = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const onOutput = (kind: 'stdout' | 'stderr', text: string) => {
    const last = waiting.at(-1);
    // A slow reader gets larger pieces, and not more of them.
    if (last?.kind === kind) waiting[waiting.length - 1] = { kind, text: last.text + text };
    else waiting.push({ kind, text });
    begun.resolve();
    wake.resolve();
  };
  const running = run({ onOutput, takesFailures: true });
  running.catch(() => undefined);
  await Promise.race([begun.promise, running, pause(MAX_SILENCE_MS)]);
  let hasEnded = false;
  const ended = running.then(
    () => undefined,
    () => undefined,
  );
  void ended.then(() => {
    hasEnded = true;
    wake.resolve();
  });
  return (async function* () {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) {
        yield next;
        continue;
      }
      if (hasEnded) break;
      await wake.promise;
      wake = Promise.withResolvers();
    }
    yield { kind: 'result', result: await running };
  })();
}
