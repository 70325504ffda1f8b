import { matches, memberOf, orderOf } from '../engine/conditions.ts';
import { numberField, textField } from '../graph/fields.ts';
import { isObject, type Json } from '../graph/graph.ts';
import { type NodeCall, NodeFailed, type NodeResult } from '../run/node-effects.ts';

/** Filters a list, takes one entry out of it, sorts it and cuts it, in this order. */
export function operateList({ config }: Pick<NodeCall, 'config'>): NodeResult {
  const given = config.items ?? null;
  if (given !== null && !Array.isArray(given))
    throw new NodeFailed('invalid_items', 'config.items is not a list. Refer to a list, such as {{sys.files}}.');
  let items = [...((given ?? []) as readonly Json[])];
  const { filter } = config;
  if (isObject(filter)) items = items.filter((item) => matches(item, filter));
  const position = config.extract ?? null;
  if (position !== null) items = entryAt(items, Number(position));
  if (isObject(config.sort)) {
    const key = textField(config.sort, 'key');
    const sign = config.sort.order === 'desc' ? -1 : 1;
    items.sort((a, b) => sign * orderOf(memberOf(a, key), memberOf(b, key)));
  }
  items = items.slice(0, numberField(config, 'limit', items.length));
  return { outputs: { result: items, first: items[0] ?? null, last: items.at(-1) ?? null } };
}

function entryAt(items: readonly Json[], position: number): Json[] {
  const item = Number.isInteger(position) && position >= 1 ? items[position - 1] : undefined;
  if (item === undefined)
    throw new NodeFailed(
      'invalid_items',
      `config.extract is ${position}, and the list has ${items.length} entries. Name one from 1 on.`,
    );
  return [item];
}
