import type { Part } from './loops.ts';
import type { Expression } from './parse-expressions.ts';
import { Scope, Text } from './scope.ts';
import { type Arguments, Callable, TemplateFault, Tuple, Undefined, type Value } from './values.ts';

export interface Parameter {
  readonly name: string;
  readonly otherwise: Expression | null;
}

const MAX_CALLS = 200;

/** The function of a macro, or of the text inside `call`. */
export function macroOf(name: string, parameters: readonly Parameter[], body: Part, scope: Scope): Callable {
  let calls = 0;
  return new Callable(name, (args) => {
    if (++calls > MAX_CALLS) throw new TemplateFault(`The macro '${name}' calls itself more than ${MAX_CALLS} deep.`);
    const text = new Text();
    body(filled(parameters, args, scope), text);
    calls--;
    return text.toString();
  });
}

function filled(parameters: readonly Parameter[], { positional, named }: Arguments, scope: Scope): Scope {
  const inner = new Scope(scope);
  for (const [index, parameter] of parameters.entries()) {
    const given = index < positional.length ? positional[index] : named.get(parameter.name);
    inner.set(parameter.name, given === undefined ? ofDefault(parameter, inner) : given);
  }
  const known = new Set([...parameters.map((parameter) => parameter.name), 'caller']);
  const rest: [Value, Value][] = [...named].filter(([each]) => !known.has(each));
  const caller = named.get('caller');
  if (caller !== undefined) inner.set('caller', caller);
  inner.set('varargs', new Tuple(positional.slice(parameters.length)));
  inner.set('kwargs', new Map(rest));
  return inner;
}

function ofDefault({ name, otherwise }: Parameter, scope: Scope): Value {
  return otherwise === null ? new Undefined(`parameter '${name}'`) : otherwise(scope);
}
