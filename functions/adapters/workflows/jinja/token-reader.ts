import type { Token, TokenKind } from './lexer.ts';
import { TemplateFault } from './values.ts';

const MAX_NESTED = 200;

/** The tokens of a template, read from first to last. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get current(): Token {
    return this.#tokens[this.#at]!;
  }

  next(): Token {
    const token = this.current;
    if (token.kind !== 'end') this.#at++;
    return token;
  }

  follows(value: string): boolean {
    return this.#tokens[this.#at + 1]?.value === value;
  }

  is(kind: TokenKind, ...values: readonly string[]): boolean {
    const { current } = this;
    return current.kind === kind && (values.length === 0 || values.includes(current.value));
  }

  /** Reads a token if it is the next one. */
  takes(kind: TokenKind, value: string): boolean {
    if (!this.is(kind, value)) return false;
    this.next();
    return true;
  }

  expect(kind: TokenKind, value?: string): Token {
    if (this.current.kind === kind && (value === undefined || this.current.value === value)) return this.next();
    throw this.fault(`expected ${value === undefined ? `a ${kind}` : `'${value}'`}, got ${this.#shown()}`);
  }

  /** Reads what nests, as deeply as it may. */
  nested<T>(read: () => T): T {
    if (++this.#depth > MAX_NESTED) throw this.fault(`it nests more than ${MAX_NESTED} deep`);
    const result = read();
    this.#depth--;
    return result;
  }

  fault(message: string): TemplateFault {
    return new TemplateFault(`${message} (line ${this.current.line})`);
  }

  #shown(): string {
    const { kind, value } = this.current;
    return kind === 'end' ? 'the end of the template' : `'${value}'`;
  }
}
