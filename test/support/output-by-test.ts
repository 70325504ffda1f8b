/**
 * Gives what a file's tests write to this process's output to Vitest, which shows it where a test fails. Vitest sees no more than the
 * global `console`; the service's log and metrics go to the stream.
 */
const PATCHED = Symbol.for('tripod.outputByTest');
const streams = globalThis as { [PATCHED]?: true };

// Files of one process run this again.
if (streams[PATCHED] === undefined) {
  streams[PATCHED] = true;
  for (const [stream, method] of [
    [process.stdout, 'log'],
    [process.stderr, 'error'],
  ] as const)
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      console[method](text.replace(/\n$/, ''));
      const done = rest.at(-1);
      if (typeof done === 'function') done();
      return true;
    };
}
