import type { Scope } from './scope.ts';
import type { TokenReader } from './token-reader.ts';
import { itemsOf, Members, TemplateFault, type Value } from './values.ts';

/** The place of a value: a name, several of them, or a member of a namespace. */
export type Target = (scope: Scope, value: Value) => void;

/** `a`, `a, b`, `(a, (b, c))` */
export function parseTargets(tokens: TokenReader): Target {
  const first = parseTarget(tokens);
  if (!tokens.is('operator', ',')) return first;
  const all = [first];
  while (tokens.takes('operator', ',') && !tokens.is('name', 'in') && !tokens.is('operator', '=', ')'))
    all.push(parseTarget(tokens));
  return (scope, value) => {
    const values = itemsOf(value);
    if (values.length !== all.length)
      throw new TemplateFault(`${values.length} values cannot be unpacked into ${all.length} names`);
    for (const [index, target] of all.entries()) target(scope, values[index]!);
  };
}

function parseTarget(tokens: TokenReader): Target {
  if (tokens.takes('operator', '(')) {
    const inner = tokens.nested(() => parseTargets(tokens));
    tokens.expect('operator', ')');
    return inner;
  }
  const name = tokens.expect('name').value;
  if (!tokens.takes('operator', '.')) return (scope, value) => scope.set(name, value);
  const member = tokens.expect('name').value;
  return (scope, value) => {
    const holder = scope.get(name);
    if (!(holder instanceof Members)) throw new TemplateFault('cannot assign attribute on non-namespace object');
    holder.members.set(member, value);
  };
}
