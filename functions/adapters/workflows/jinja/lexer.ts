import { TemplateFault } from './values.ts';

export type TokenKind = 'data' | 'name' | 'string' | 'integer' | 'float' | 'operator' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Of a tag or an output, `{%` `%}` `{{` `}}` are operators. */
  readonly value: string;
  readonly line: number;
}

const OPERATORS = ['**', '//', '==', '!=', '>=', '<=', ...'+-*/%~<>=()[]{},.:|'];
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  a: '\x07',
};
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const NUMBER = /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?/y;
const SPACE = /\s+/y;
const RAW = /\{%[-+]?\s{0,99}raw\s{0,99}(-?)%\}/y;
const END_RAW = /\{%(-?)\+?\s{0,99}endraw\s{0,99}(-?)%\}/g;

/** The tokens of a template. Texts between its tags have lost the space that `-` takes. */
export function tokenize(source: string): Token[] {
  return new Lexer(source.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(/\n$/, '')).tokens();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #line = 1;
  /** The end of the last tag takes the space after it. */
  #trims = false;

  constructor(source: string) {
    this.#source = source;
  }

  tokens(): Token[] {
    while (this.#at < this.#source.length) {
      this.#data(this.#nextTag());
      if (this.#at < this.#source.length) this.#tag();
    }
    this.#push('end', '');
    return this.#tokens;
  }

  #nextTag(): number {
    for (let at = this.#source.indexOf('{', this.#at); at >= 0; at = this.#source.indexOf('{', at + 1)) {
      if ('{%#'.includes(this.#source[at + 1] ?? ' ')) return at;
    }
    return this.#source.length;
  }

  #data(end: number): void {
    let text = this.#source.slice(this.#at, end);
    const newLines = text.split('\n').length - 1;
    if (this.#trims) text = text.trimStart();
    if (end < this.#source.length && this.#source[end + 2] === '-') text = text.trimEnd();
    if (text !== '') this.#push('data', text);
    this.#line += newLines;
    this.#at = end;
    this.#trims = false;
  }

  #tag(): void {
    const opening = this.#source.slice(this.#at, this.#at + 2);
    if (opening === '{#') {
      this.#comment();
      return;
    }
    RAW.lastIndex = this.#at;
    const raw = RAW.exec(this.#source);
    if (raw) {
      this.#raw(raw);
      return;
    }
    this.#push('operator', opening);
    this.#at += 2;
    if ('-+'.includes(this.#source[this.#at] ?? ' ')) this.#at++;
    this.#code(opening === '{{' ? '}}' : '%}');
  }

  #comment(): void {
    const end = this.#source.indexOf('#}', this.#at + 2);
    if (end < 0) throw this.#fault('Missing end of comment tag');
    this.#trims = this.#source[end - 1] === '-';
    this.#advance(end + 2);
  }

  #raw(opening: RegExpExecArray): void {
    END_RAW.lastIndex = this.#at + opening[0].length;
    const closing = END_RAW.exec(this.#source);
    if (!closing) throw this.#fault('Missing end of raw directive');
    let text = this.#source.slice(this.#at + opening[0].length, closing.index);
    if (opening[1] === '-') text = text.trimStart();
    if (closing[1] === '-') text = text.trimEnd();
    if (text !== '') this.#push('data', text);
    this.#advance(closing.index + closing[0].length);
    this.#trims = closing[2] === '-';
  }

  /** The tokens up to the end of a tag. */
  #code(end: string): void {
    const open: string[] = [];
    for (;;) {
      this.#skipSpace();
      if (this.#at >= this.#source.length) throw this.#fault(`unexpected end of template, expected '${end}'`);
      const trimmed = this.#source.startsWith(`-${end}`, this.#at);
      if (open.length === 0 && (trimmed || this.#source.startsWith(end, this.#at))) {
        this.#at += trimmed ? 3 : 2;
        this.#trims = trimmed;
        this.#push('operator', end);
        return;
      }
      this.#token(open);
    }
  }

  #token(open: string[]): void {
    const char = this.#source[this.#at]!;
    if (char === '"' || char === "'") {
      this.#string(char);
      return;
    }
    const name = this.#match(NAME);
    if (name !== null) {
      this.#push('name', name.normalize('NFKC'));
      return;
    }
    const number = this.#match(NUMBER);
    if (number !== null) {
      this.#number(number);
      return;
    }
    const operator = OPERATORS.find((each) => this.#source.startsWith(each, this.#at));
    if (operator === undefined) throw this.#fault(`unexpected char '${char}'`);
    this.#at += operator.length;
    const closing = CLOSING[operator];
    if (closing !== undefined) open.push(closing);
    else if (')]}'.includes(operator) && open.pop() !== operator) throw this.#fault(`unexpected '${operator}'`);
    this.#push('operator', operator);
  }

  #number(text: string): void {
    const digits = text.replaceAll('_', '');
    const isFloat = !/^0[xXbBoO]/.test(digits) && /[.eE]/.test(digits);
    this.#push(isFloat ? 'float' : 'integer', digits);
  }

  #string(quote: string): void {
    const start = this.#at + 1;
    let end = start;
    while (end < this.#source.length && this.#source[end] !== quote) end += this.#source[end] === '\\' ? 2 : 1;
    if (end >= this.#source.length) throw this.#fault('a text has no closing quotation mark');
    this.#push('string', unescaped(this.#source.slice(start, end)));
    this.#advance(end + 1);
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0] ?? null;
    if (found !== null) this.#at += found.length;
    return found;
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    const space = SPACE.exec(this.#source)?.[0];
    if (space !== undefined) this.#advance(this.#at + space.length);
  }

  #advance(to: number): void {
    for (let at = this.#source.indexOf('\n', this.#at); at >= 0 && at < to; at = this.#source.indexOf('\n', at + 1))
      this.#line++;
    this.#at = to;
  }

  #push(kind: TokenKind, value: string): void {
    this.#tokens.push({ kind, value, line: this.#line });
  }

  #fault(message: string): TemplateFault {
    return new TemplateFault(`${message} (line ${this.#line})`);
  }
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(u[\da-fA-F]{4}|x[\da-fA-F]{2}|[\s\S])/g, (whole, code: string) => {
    if (code.length > 1) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (code === '\n') return '';
    return ESCAPES[code] ?? ('\\\'"'.includes(code) ? code : whole);
  });
}
