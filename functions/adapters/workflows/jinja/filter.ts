import type { Arguments, Value } from './values.ts';

/** A filter of Jinja2. @throws TemplateFault for a value or arguments that it does not take */
export type Filter = (value: Value, args: Arguments) => Value;
