/** API Gateway sends messages of at most 128 KB; larger ones are split, or cut and marked. */
export interface SentMessage {
  readonly type: string;
  readonly id?: string;
  readonly data: unknown;
  /** True when texts of the event were cut. */
  readonly truncated?: true;
}

export const MAX_SENT_BYTES = 128 * 1024;
/** A character takes six bytes of JSON at most: a piece fits, with all that is around it. */
const PIECE_LENGTH = 16 * 1024;
const CUT_LENGTHS = [16 * 1024, 4 * 1024, 1024, 128, 16];

/** Texts that clients put together from pieces. */
const JOINED = ['content', 'reasoning_content', 'refusal'] as const;

type Delta = Readonly<Record<string, unknown>>;
interface Chunk {
  readonly choices: readonly [{ readonly delta: Delta; readonly finish_reason: string | null }];
}

export function fittingMessages(message: SentMessage): readonly SentMessage[] {
  if (fits(message)) return [message];
  const pieces = message.type === 'message' ? splitChunk(message) : null;
  return pieces?.every(fits) ? pieces : [cutMessage(message)];
}

const fits = (message: SentMessage): boolean => Buffer.byteLength(JSON.stringify(message)) <= MAX_SENT_BYTES;

/** @returns null for a chunk without a text that can be split. */
function splitChunk(message: SentMessage): SentMessage[] | null {
  const { choices, ...head } = message.data as Chunk;
  const [choice] = choices ?? [];
  if (choice === undefined) return null;
  const { delta, ...rest } = choice;
  const name = JOINED.find((each) => typeof delta[each] === 'string' && delta[each].length > PIECE_LENGTH);
  if (name === undefined) return null;
  const pieces = piecesOf(delta[name] as string);
  return pieces.map((piece, index) => {
    const finish_reason = index === pieces.length - 1 ? choice.finish_reason : null;
    const own = index === 0 ? { ...delta, [name]: piece } : { [name]: piece };
    return { ...message, data: { ...head, choices: [{ ...rest, delta: own, finish_reason, logprobs: null }] } };
  });
}

/** Never between the two halves of a character. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = wholeEnd(text, start + PIECE_LENGTH);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function wholeEnd(text: string, end: number): number {
  const isHalf = end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!);
  return isHalf ? end - 1 : end;
}

/** The message with its texts, and then its lists, as short as it takes. */
function cutMessage(message: SentMessage): SentMessage {
  for (const length of CUT_LENGTHS) {
    const cut = { ...message, data: shortened(message.data, length), truncated: true } as const;
    if (fits(cut)) return cut;
  }
  return { ...message, data: null, truncated: true };
}

function shortened(value: unknown, length: number): unknown {
  if (typeof value === 'string') return value.length > length ? `${value.slice(0, wholeEnd(value, length))}…` : value;
  if (Array.isArray(value)) return value.slice(0, length).map((each) => shortened(each, length));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each, length)]));
}
