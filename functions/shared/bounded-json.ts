/**
 * Of one text of JSON that tenants or strangers send. Long strings are parsed in no time; values and escapes are not: a body of 28 MB can
 * hold 14 million, which take seconds of the thread that serves all requests.
 */
export const MAX_VALUES = 100_000;
/** A text of 6 MB that is all Korean in escapes has 1 million, a table of 8 MB in JSON within JSON 1.4 million. */
export const MAX_ESCAPES = 2_000_000;

/** A text of JSON would take too long to parse. The message says of what it has too many. */
export class TooMuchJson extends SyntaxError {
  override name = 'TooMuchJson';
}

type Reviver = (this: unknown, name: string, value: unknown, context: { readonly source?: string }) => unknown;

interface JsonBounds {
  readonly maxValues?: number;
  readonly revive?: Reviver | undefined;
}

/** Parses a text of JSON of an unknown author. @throws TooMuchJson, SyntaxError */
export function boundedJson(text: string, { maxValues = MAX_VALUES, revive }: JsonBounds = {}): unknown {
  if (hasMoreEscapes(text, MAX_ESCAPES)) throw new TooMuchJson(`more than ${MAX_ESCAPES} escapes`);
  if (hasMoreValues(text, maxValues)) throw new TooMuchJson(`more than ${maxValues} values`);
  return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Counts the values of JSON by the marks before them, character by character, or byte by byte of UTF-8. */
export class ValueCounter {
  values = 0;
  #isInString = false;
  #isEscaped = false;

  add(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === QUOTE) this.#isInString = !this.#isInString;
    else if (this.#isInString) this.#isEscaped = code === BACKSLASH;
    else if (code === COMMA || code === COLON || code === BRACKET || code === BRACE) this.values++;
  }
}

/** Whether a text of JSON has more backslashes that start an escape. */
function hasMoreEscapes(text: string, max: number): boolean {
  // Each has two characters.
  if (text.length <= 2 * max) return false;
  let escapes = 0;
  for (let at = text.indexOf('\\'); at >= 0 && escapes <= max; at = text.indexOf('\\', at + 2)) escapes++;
  return escapes > max;
}

/** Whether a text of JSON may hold more values. The text may have 28 million characters, most of them in strings, which are skipped. */
export function hasMoreValues(text: string, max: number): boolean {
  // None has more values than characters.
  if (text.length <= max) return false;
  let values = 0;
  for (let at = 0; at < text.length && values <= max; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at + 1);
    else if (code === COMMA || code === COLON || code === BRACKET || code === BRACE) values++;
  }
  return values > max;
}

/** Index of the quote that ends a string; the text's length where none does. */
function endOfString(text: string, start: number): number {
  for (let at = start; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let escapes = at;
    while (escapes > start && text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((at - escapes) % 2 === 0) return at;
  }
}
