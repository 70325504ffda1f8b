import { MAX_LENGTH, TemplateFault, TemplateLimit, Undefined, type Value } from './values.ts';

/** Passes of all loops of a template together. */
const MAX_PASSES = 300_000;

/** The names of a part of a template, and around it those of the parts that it is in. */
export class Scope {
  readonly #values = new Map<string, Value>();
  readonly #outer: Scope | null;
  readonly #work: { passes: number };

  constructor(outer: Scope | null, values: Iterable<readonly [string, Value]> = []) {
    this.#outer = outer;
    this.#work = outer === null ? { passes: 0 } : outer.#work;
    for (const [name, value] of values) this.#values.set(name, value);
  }

  /** Counts a pass of a loop. @throws TemplateLimit */
  countPass(): void {
    if (++this.#work.passes > MAX_PASSES) throw new TemplateLimit();
  }

  get(name: string): Value {
    for (let scope: Scope | null = this; scope !== null; scope = scope.#outer) {
      const value = scope.#values.get(name);
      if (value !== undefined) return value;
    }
    return new Undefined(`'${name}'`);
  }

  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }
}

/** The number of parts that are joined into one, to save memory. */
const MAX_PARTS = 1_000;

/** The text of a template as it grows. */
export class Text {
  readonly #parts: string[] = [];
  #length = 0;

  add(part: string): void {
    this.#length += part.length;
    if (this.#length > MAX_LENGTH) throw new TemplateFault(`It gives more than ${MAX_LENGTH} characters.`);
    this.#parts.push(part);
    if (this.#parts.length >= MAX_PARTS) this.#parts.splice(0, MAX_PARTS, this.#parts.join(''));
  }

  toString(): string {
    return this.#parts.join('');
  }
}
