import { type Arguments, TemplateFault, Undefined, type Value } from './values.ts';

/** The arguments of a call by the places of its parameters; undefined where the call has none. @throws TemplateFault */
export function bound(what: string, parameters: readonly string[], { positional, named }: Arguments) {
  if (positional.length > parameters.length)
    throw new TemplateFault(`${what} takes at most ${parameters.length} arguments, not ${positional.length}`);
  const values: (Value | undefined)[] = parameters.map((_, index) => positional[index]);
  for (const [name, value] of named) {
    const index = parameters.indexOf(name);
    if (index < 0) throw new TemplateFault(`${what} got an unexpected keyword argument '${name}'`);
    if (values[index] !== undefined) throw new TemplateFault(`${what} got multiple values for argument '${name}'`);
    values[index] = value;
  }
  return values;
}

/** An argument that a call has to have. */
export function needed(what: string, name: string, value: Value | undefined): Value {
  if (value === undefined) throw new TemplateFault(`${what} is missing the argument '${name}'`);
  return value;
}

export function isGiven(value: Value | undefined): value is Exclude<Value, Undefined | null> {
  return value !== undefined && value !== null && !(value instanceof Undefined);
}
