import { formattedByBraces } from './brace-format.ts';
import { bound, isGiven, needed } from './signature.ts';
import { capitalized, centered, count, titled, trimmed } from './texts.ts';
import { type Arguments, itemsOf, MAX_LENGTH, TemplateFault, Tuple, typeName, type Value, wholeOf } from './values.ts';
import { textOf } from './written.ts';

type Method = (text: string, args: Arguments) => Value;

/** The texts among the arguments of a method. */
function texts(what: string, parameters: readonly string[], args: Arguments): string[] {
  return bound(what, parameters, args).map((value, index) => {
    const text = needed(what, parameters[index]!, value);
    if (typeof text !== 'string') throw new TemplateFault(`${what} needs a text, not ${typeName(text)}`);
    return text;
  });
}

const ofText = (what: string, method: (text: string, other: string) => Value): Method => {
  return (text, args) => method(text, texts(what, ['text'], args)[0]!);
};
const plain = (method: (text: string) => Value): Method => {
  return (text) => method(text);
};
const stripping = (sides: 'both' | 'left' | 'right'): Method => {
  return (text, args) => {
    const [chars] = bound('strip()', ['chars'], args);
    return trimmed(text, isGiven(chars) ? textOf(chars) : null, sides);
  };
};

/** `split` and `rsplit`. */
const splitting = (isFromEnd: boolean): Method => {
  return (text, args) => {
    const [mark, most = -1n] = bound('split()', ['sep', 'maxsplit'], args);
    const limit = wholeOf(most, 'maxsplit');
    if (!isGiven(mark)) return atSpace(text, limit, isFromEnd);
    const separator = textOf(mark);
    if (separator === '') throw new TemplateFault('empty separator');
    const parts = text.split(separator);
    if (limit < 0 || parts.length <= limit + 1) return parts;
    return isFromEnd
      ? [parts.slice(0, parts.length - limit).join(separator), ...parts.slice(parts.length - limit)]
      : [...parts.slice(0, limit), parts.slice(limit).join(separator)];
  };
};

function atSpace(text: string, limit: number, isFromEnd: boolean): Value[] {
  const words = [...text.matchAll(/\S+/g)];
  if (limit < 0 || words.length <= limit + 1) return words.map(([word]) => word);
  if (!isFromEnd) {
    return [...words.slice(0, limit).map(([word]) => word), text.slice(words[limit]!.index).trimEnd()];
  }
  const last = words.slice(words.length - limit);
  return [text.slice(0, last[0]?.index ?? text.length).trim(), ...last.map(([word]) => word)];
}

const padding = (pad: (text: string, width: number, fill: string) => string): Method => {
  return (text, args) => {
    const [width, fill = ' '] = bound('a method that pads', ['width', 'fillchar'], args);
    const places = wholeOf(needed('a method that pads', 'width', width), 'width');
    if (places > MAX_LENGTH) throw new TemplateFault(`A text has more than ${MAX_LENGTH} characters.`);
    return pad(text, places + text.length - [...text].length, textOf(fill));
  };
};

const starting = (isAt: (text: string, part: string) => boolean): Method => {
  return (text, args) => {
    const [part] = bound('startswith()', ['text'], args);
    const value = needed('startswith()', 'text', part);
    return (value instanceof Tuple ? value.items : [value]).some((each) => isAt(text, textOf(each)));
  };
};

/** The place of a part, in characters. */
const finding = (find: (text: string, part: string) => number, isRequired = false): Method => {
  return ofText('find()', (text, part) => {
    const place = find(text, part);
    if (place < 0 && isRequired) throw new TemplateFault('substring not found');
    return place < 0 ? -1n : BigInt([...text.slice(0, place)].length);
  });
};

const parting = (find: (text: string, mark: string) => number, isAtEnd: boolean): Method => {
  return ofText('partition()', (text, mark) => {
    const place = find(text, mark);
    if (place < 0) return new Tuple(isAtEnd ? ['', '', text] : [text, '', '']);
    return new Tuple([text.slice(0, place), mark, text.slice(place + mark.length)]);
  });
};

const every = (pattern: RegExp): Method => plain((text) => pattern.test(text));

export const TEXT_METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['upper', plain((text) => text.toUpperCase())],
  ['lower', plain((text) => text.toLowerCase())],
  ['casefold', plain((text) => text.toLowerCase())],
  ['title', plain(titled)],
  ['capitalize', plain(capitalized)],
  ['strip', stripping('both')],
  ['lstrip', stripping('left')],
  ['rstrip', stripping('right')],
  ['split', splitting(false)],
  ['rsplit', splitting(true)],
  ['splitlines', plain((text) => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/)))],
  ['partition', parting((text, mark) => text.indexOf(mark), false)],
  ['rpartition', parting((text, mark) => text.lastIndexOf(mark), true)],
  ['startswith', starting((text, part) => text.startsWith(part))],
  ['endswith', starting((text, part) => text.endsWith(part))],
  ['find', finding((text, part) => text.indexOf(part))],
  ['rfind', finding((text, part) => text.lastIndexOf(part))],
  ['index', finding((text, part) => text.indexOf(part), true)],
  ['rindex', finding((text, part) => text.lastIndexOf(part), true)],
  ['count', ofText('count()', (text, part) => BigInt(count(text, part)))],
  ['removeprefix', ofText('removeprefix()', (text, part) => (text.startsWith(part) ? text.slice(part.length) : text))],
  [
    'removesuffix',
    ofText('removesuffix()', (text, part) => (part && text.endsWith(part) ? text.slice(0, -part.length) : text)),
  ],
  [
    'replace',
    (text, args) => {
      const [from, to, most = -1n] = bound('replace()', ['old', 'new', 'count'], args);
      const [old, put] = [needed('replace()', 'old', from), needed('replace()', 'new', to)].map(textOf);
      const limit = wholeOf(most, 'count');
      return limit < 0 ? text.replaceAll(old!, () => put!) : replacedFirst(text, old!, put!, limit);
    },
  ],
  [
    'join',
    (text, args) => {
      const [values] = bound('join()', ['values'], args);
      return itemsOf(needed('join()', 'values', values))
        .map(joinable)
        .join(text);
    },
  ],
  ['format', (text, args) => formattedByBraces(text, args, entryByName)],
  ['ljust', padding((text, width, fill) => text.padEnd(width, fill))],
  ['rjust', padding((text, width, fill) => text.padStart(width, fill))],
  ['center', padding(centered)],
  [
    'zfill',
    padding((text, width) => {
      const sign = /^[+-]/.exec(text)?.[0] ?? '';
      return sign + text.slice(sign.length).padStart(width - sign.length, '0');
    }),
  ],
  ['isdigit', every(/^\p{Nd}+$/u)],
  ['isnumeric', every(/^\p{N}+$/u)],
  ['isdecimal', every(/^\p{Nd}+$/u)],
  ['isalpha', every(/^\p{L}+$/u)],
  ['isalnum', every(/^[\p{L}\p{N}]+$/u)],
  ['isspace', every(/^\s+$/u)],
  ['isupper', plain((text) => text !== text.toLowerCase() && text === text.toUpperCase())],
  ['islower', plain((text) => text !== text.toUpperCase() && text === text.toLowerCase())],
  ['istitle', plain((text) => /\p{L}/u.test(text) && text === titled(text))],
  [
    'swapcase',
    plain((text) =>
      [...text].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join(''),
    ),
  ],
]);

/** A member of a value in a format such as `{0[name]}`. */
function entryByName(value: Value, name: string): Value {
  const found = value instanceof Map ? value.get(name) : /^\d+$/.test(name) ? itemsOf(value)[Number(name)] : undefined;
  if (found === undefined) throw new TemplateFault(`The format has no value for '${name}'.`);
  return found;
}

function joinable(value: Value): string {
  if (typeof value === 'string') return value;
  throw new TemplateFault(`join() needs texts, not ${typeName(value)}`);
}

export function replacedFirst(text: string, from: string, to: string, limit: number): string {
  let [result, rest] = ['', text];
  for (let done = 0; done < limit; done++) {
    const at = rest.indexOf(from);
    if (at < 0 || (from === '' && rest === '')) break;
    result += rest.slice(0, at) + to + (from === '' ? rest[0]! : '');
    rest = rest.slice(from === '' ? 1 : at + from.length);
  }
  return result + rest;
}
