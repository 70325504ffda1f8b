import type { Output } from './domain/execution.ts';

/**
 * Lambda gives answers of 6 MB, as JSON within JSON: there a control character takes 7 bytes, a quote 4. The two streams of a
 * program are kept up to 1 MiB each, and hardly ever take as much.
 */
const BUDGET_BYTES = 5_000_000;
/** How much of what is too long is kept at each try. */
const STEP = 0.8;

/** The output, with the middle of its longer stream cut further, or of both, where it would be too large for an answer. */
export function fitOutput({ stdout, stderr }: Output, budgetBytes = BUDGET_BYTES): Output {
  let fitted = { stdout, stderr };
  for (let most = Math.max(stdout.length, stderr.length); sizeOf(fitted) > budgetBytes; most *= STEP)
    fitted = { stdout: withoutMiddle(stdout, most), stderr: withoutMiddle(stderr, most) };
  return fitted;
}

const sizeOf = (output: Output) => Buffer.byteLength(JSON.stringify(JSON.stringify(output)));

function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const [head, tail] = [text.slice(0, half), text.slice(text.length - half)];
  const leftOutBytes = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail);
  // A pair of surrogates that the cut has parted is no character any more.
  return `${head}\n[... ${leftOutBytes} bytes left out ...]\n${tail}`.toWellFormed();
}
