import type { Random } from '../../bench/corpus/random.ts';

/** Numbers at the edges of what formats count with. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];
const MAX_CHANGES = 8;
const MAX_RUN = 64;

/** A few changes to some bytes, as damage, transfer and malice make them. */
export function mutated(bytes: Buffer, random: Random): Buffer {
  let result: Buffer = Buffer.from(bytes);
  for (let left = random.int(1, MAX_CHANGES); left > 0; left--) result = random.pick(CHANGES)(result, random);
  return result;
}

type Change = (bytes: Buffer, random: Random) => Buffer;

const CHANGES: readonly Change[] = [flipBit, writeEdge, writeEdge, cutOut, repeat, move, truncate];

function flipBit(bytes: Buffer, random: Random): Buffer {
  const at = place(bytes, random);
  if (at < bytes.length) bytes[at] = bytes[at]! ^ (1 << random.int(0, 7));
  return bytes;
}

function writeEdge(bytes: Buffer, random: Random): Buffer {
  const width = random.pick([1, 2, 4]);
  const at = place(bytes, random);
  if (at + width > bytes.length) return bytes;
  const number = random.pick(EDGES) % 2 ** (8 * width);
  if (random.chance(0.5)) bytes.writeUIntBE(number, at, width);
  else bytes.writeUIntLE(number, at, width);
  return bytes;
}

function cutOut(bytes: Buffer, random: Random): Buffer {
  const at = place(bytes, random);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.int(1, MAX_RUN))]);
}

function repeat(bytes: Buffer, random: Random): Buffer {
  const at = place(bytes, random);
  const run = bytes.subarray(at, at + random.int(1, MAX_RUN));
  return Buffer.concat([
    bytes.subarray(0, at),
    ...Array.from({ length: random.int(1, 50) }, () => run),
    bytes.subarray(at),
  ]);
}

function move(bytes: Buffer, random: Random): Buffer {
  const from = place(bytes, random);
  const run = Buffer.from(bytes.subarray(from, from + random.int(1, MAX_RUN)));
  run.copy(bytes, place(bytes, random));
  return bytes;
}

function truncate(bytes: Buffer, random: Random): Buffer {
  return random.chance(0.2) ? bytes.subarray(0, place(bytes, random)) : bytes;
}

/** Headers are where most decisions are made. */
function place(bytes: Buffer, random: Random): number {
  const reach = random.chance(0.5) ? Math.min(bytes.length, 200) : bytes.length;
  return reach === 0 ? 0 : random.int(0, reach - 1);
}
