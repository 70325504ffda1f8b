import { MAX_LENGTH, TemplateFault, Undefined, type Value } from './values.ts';

/** The names of a part of a template, and around it those of the parts that it is in. */
export class Scope {
  readonly #values = new Map<string, Value>();
  readonly #outer: Scope | null;

  constructor(outer: Scope | null, values: Iterable<readonly [string, Value]> = []) {
    this.#outer = outer;
    for (const [name, value] of values) this.#values.set(name, value);
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

/** The text of a template as it grows. */
export class Text {
  #parts: string[] = [];
  #length = 0;

  add(part: string): void {
    this.#length += part.length;
    if (this.#length > MAX_LENGTH) throw new TemplateFault(`It gives more than ${MAX_LENGTH} characters.`);
    this.#parts.push(part);
  }

  toString(): string {
    return this.#parts.join('');
  }
}
