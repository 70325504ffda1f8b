/** Parts of a page's time. The profile splits what runs in JavaScript by the file; networks and the decoder are measured by their calls. */
const FOLDERS = [
  ['find', '/domain/reading/structure/'],
  ['rectify', '/domain/reading/page/'],
  ['cut lines', '/domain/reading/'],
  ['network of tables', '/domain/interpret/learned/'],
  ['interpret', '/domain/interpret/'],
  ['judge', '/domain/judging/'],
] as const;
/** Files of the calls that are measured themselves. */
const MEASURED = [
  '/adapters/',
  '/onnxruntime-',
  'node:inspector',
  '/reading/ctc-decoder.ts',
  '/reading/letter-prior.ts',
];

/** Functions of the reader that have print recognised, with their purposes. */
const LOOKS: Readonly<Record<string, string>> = {
  compare: 'which way is up',
  mirroredOf: 'the other side shining through',
  readCuts: 'first look',
  readShared: 'again, what rules and marks share',
  lookAgain: 'again, unsure numbers',
  withWholeCodes: 'again, codes with odd lengths',
  unreadDigits: 'again, single digits',
  wholeLines: 'again, lines around tables',
};

/** Frames of a call, the innermost first. */
interface Frame {
  readonly url: string;
  readonly functionName: string;
}

/** The step of a moment in JavaScript; null: a part of a call that is measured itself. */
export function stepOf(frames: readonly Frame[]): string | null {
  for (const { url, functionName } of frames) {
    if (functionName === '(garbage collector)') return 'garbage collection';
    if (MEASURED.some((part) => url.includes(part))) return null;
    const found = FOLDERS.find(([, folder]) => url.includes(folder));
    if (found) return found[0];
  }
  return 'other';
}

/** The purpose of a reading of print, by the stack of its call. */
export function lookOf(stack: string): string {
  const asked = [...stack.matchAll(/at (?:async )?(\w+) \(/g)].map(([, name]) => name!);
  const known = asked.find((name) => Object.hasOwn(LOOKS, name));
  return `recognise: ${known === undefined ? 'other' : LOOKS[known]}`;
}
