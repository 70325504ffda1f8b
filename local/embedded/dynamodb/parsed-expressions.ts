import { createRequire } from 'node:module';

interface Context {
  readonly attrNames?: Readonly<Record<string, string>>;
  readonly attrVals?: Readonly<Record<string, object>>;
  readonly unusedAttrNames?: Record<string, true>;
  readonly unusedAttrVals?: Record<string, true>;
  readonly isKeyCondition?: boolean;
}

type Parse = (text: string, options: { readonly context: Context }) => unknown;

/** Marks the place of a value in a remembered tree. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const MAX_REMEMBERED = 1_000;
/** Of these the parsers judge the values, not only their types. */
const JUDGES_VALUES = /between|attribute_type/i;

const require = createRequire(import.meta.url);

/**
 * Has dynalite remember what it has parsed. Its parsers try every rule at every place, which makes a condition of four parts
 * most of the work of a write; the service writes the same few expressions again and again, with other values.
 */
export function rememberExpressions(): void {
  for (const name of ['conditionParser', 'updateParser']) {
    const parser = require(`dynalite/db/${name}.js`) as { parse: Parse };
    parser.parse = remembering(parser.parse);
  }
}

/** A parser that parses a text once for the same names and the same types of values. Errors are not remembered. */
export function remembering(parse: Parse): Parse {
  /** The one that was used last at the end. */
  const remembered = new Map<string, object>();
  return (text, options) => {
    if (JUDGES_VALUES.test(text)) return parse(text, options);
    const { context } = options;
    const names = placeholdersOf(text, '#');
    const values = placeholdersOf(text, ':');
    const key = JSON.stringify([
      text,
      context.isKeyCondition === true,
      names.map((name) => context.attrNames?.[name]),
      values.map((value) => Object.keys(context.attrVals?.[value] ?? {})),
    ]);
    const known = remembered.get(key);
    if (known === undefined) {
      const tree = parse(text, options);
      if (typeof tree !== 'object' || tree === null) return tree;
      const placeholders = new Map(values.map((value) => [context.attrVals?.[value], new Placeholder(value)] as const));
      // Copied: an update changes its tree.
      remembered.set(
        key,
        copy(tree, (part) => placeholders.get(part)),
      );
      if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
      return tree;
    }
    remembered.delete(key);
    remembered.set(key, known);
    for (const name of names) delete context.unusedAttrNames?.[name];
    for (const value of values) delete context.unusedAttrVals?.[value];
    return copy(known, (part) => (part instanceof Placeholder ? context.attrVals?.[part.name] : undefined));
  };
}

function placeholdersOf(text: string, mark: '#' | ':'): string[] {
  return text.match(mark === '#' ? /#[0-9a-zA-Z_]+/g : /:[0-9a-zA-Z_]+/g) ?? [];
}

/** @param replaced the replacement of a part; undefined: a copy of it. */
function copy<T>(part: T, replaced: (part: object) => object | undefined): T {
  if (typeof part !== 'object' || part === null) return part;
  const other = replaced(part);
  if (other !== undefined) return other as T;
  if (Array.isArray(part)) return part.map((each) => copy(each, replaced)) as T;
  // As the parsers make theirs: names of attributes are among the keys.
  const copied = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(part)) copied[name] = copy(value, replaced);
  return copied as T;
}
