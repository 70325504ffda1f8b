/** Resolves when a program is the first in its line, and after `maxMs` at the latest. */
export async function turnOrTime(turn: Promise<void>, maxMs: number): Promise<void> {
  const { promise: time, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, maxMs);
  await Promise.race([turn, time]);
  clearTimeout(timer);
}
