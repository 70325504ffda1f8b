import type { Filter } from './filter.ts';
import { listFilters } from './list-filters.ts';
import { attributeOf } from './members.ts';
import { NUMBER_FILTERS } from './number-filters.ts';
import { bound, needed } from './signature.ts';
import { TEXT_FILTERS } from './text-filters.ts';
import { isTrue, TemplateFault, Undefined } from './values.ts';
import { textOf } from './written.ts';

const defaulted: Filter = (value, args) => {
  const [otherwise = '', isForFalse = false] = bound('default', ['default_value', 'boolean'], args);
  return value instanceof Undefined || (isTrue(isForFalse) && !isTrue(value)) ? otherwise : value;
};

/** The filters of templates, by name. */
export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['default', defaulted],
  ['d', defaulted],
  [
    'attr',
    (value, args) => {
      const [name] = bound('attr', ['name'], args);
      return attributeOf(value, textOf(needed('attr', 'name', name))) ?? new Undefined('the attribute');
    },
  ],
  ...TEXT_FILTERS,
  ...NUMBER_FILTERS,
  ...listFilters((name, value, args) => filterNamed(name)(value, args)),
]);

/** @throws TemplateFault */
export function filterNamed(name: string): Filter {
  const filter = FILTERS.get(name);
  if (!filter) throw new TemplateFault(`undefined filter: ${name}`);
  return filter;
}
