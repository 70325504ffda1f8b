import type { Filter } from './filter.ts';
import { BINARY } from './operators.ts';
import { bound, isGiven, needed } from './signature.ts';
import { replacedFirst } from './text-methods.ts';
import {
  capitalized,
  centered,
  escaped,
  titledWords,
  trimmed,
  truncated,
  urlEncoded,
  withoutTags,
  wrapped,
} from './texts.ts';
import {
  isList,
  isTrue,
  itemsOf,
  lengthOf,
  MAX_LENGTH,
  TemplateFault,
  Tuple,
  Undefined,
  type Value,
  wholeOf,
} from './values.ts';
import { jsonOf, textOf } from './written.ts';

const plain = (change: (text: string) => string): Filter => {
  return (value) => change(textOf(value));
};
const whole = (value: Value | undefined, otherwise: number, name: string): number => {
  const number = isGiven(value) ? wholeOf(value, name) : otherwise;
  if (number > MAX_LENGTH) throw new TemplateFault(`${name} is larger than ${MAX_LENGTH}`);
  return number;
};

export const TEXT_FILTERS: readonly (readonly [string, Filter])[] = [
  ['upper', plain((text) => text.toUpperCase())],
  ['lower', plain((text) => text.toLowerCase())],
  ['capitalize', plain(capitalized)],
  ['title', plain(titledWords)],
  ['string', plain((text) => text)],
  ['safe', plain((text) => text)],
  ['escape', plain(escaped)],
  ['e', plain(escaped)],
  ['forceescape', plain(escaped)],
  ['striptags', plain(withoutTags)],
  ['wordcount', (value) => BigInt(textOf(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0)],
  [
    'trim',
    (value, args) => {
      const [chars] = bound('trim', ['chars'], args);
      return trimmed(textOf(value), isGiven(chars) ? textOf(chars) : null);
    },
  ],
  [
    'replace',
    (value, args) => {
      const [from, to, most] = bound('replace', ['old', 'new', 'count'], args);
      const [old, put] = [needed('replace', 'old', from), needed('replace', 'new', to)].map(textOf);
      if (!isGiven(most)) return textOf(value).replaceAll(old!, () => put!);
      return replacedFirst(textOf(value), old!, put!, wholeOf(most, 'count'));
    },
  ],
  [
    'center',
    (value, args) => {
      const [width] = bound('center', ['width'], args);
      return centered(textOf(value), whole(width, 80, 'width'));
    },
  ],
  [
    'indent',
    (value, args) => {
      const [width = 4n, first = false, blank = false] = bound('indent', ['width', 'first', 'blank'], args);
      const pad = typeof width === 'string' ? width : ' '.repeat(whole(width, 4, 'width'));
      const lines = textOf(value).split('\n');
      return lines
        .map((line, index) => ((index === 0 ? isTrue(first) : isTrue(blank) || line !== '') ? pad + line : line))
        .join('\n');
    },
  ],
  [
    'truncate',
    (value, args) => {
      const [length, killWords = false, end = '...', leeway] = bound(
        'truncate',
        ['length', 'killwords', 'end', 'leeway'],
        args,
      );
      const [most, slack] = [whole(length, 255, 'length'), whole(leeway, 5, 'leeway')];
      if (most < [...textOf(end)].length)
        throw new TemplateFault(`truncate needs a length of ${textOf(end).length} or more`);
      if (typeof value !== 'string' && lengthOf(value) <= most + slack) return textOf(value);
      return truncated(textOf(value), most, isTrue(killWords), textOf(end), slack);
    },
  ],
  [
    'wordwrap',
    (value, args) => {
      const [width, breaksWords = true, wrapper, atHyphens = true] = bound(
        'wordwrap',
        ['width', 'break_long_words', 'wrapstring', 'break_on_hyphens'],
        args,
      );
      const columns = whole(width, 79, 'width');
      if (columns < 1) throw new TemplateFault('wordwrap needs a width of 1 or more');
      const line = isGiven(wrapper) ? textOf(wrapper) : '\n';
      return wrapped(textOf(value), columns, isTrue(breaksWords), line, isTrue(atHyphens));
    },
  ],
  [
    'format',
    (value, { positional, named }) => {
      if (positional.length > 0 && named.size > 0)
        throw new TemplateFault("can't handle positional and keyword arguments at the same time");
      return BINARY['%']!(textOf(value), named.size > 0 ? new Map(named) : new Tuple(positional));
    },
  ],
  ['urlencode', (value) => encoded(value)],
  [
    'tojson',
    (value, args) => {
      const [indent] = bound('tojson', ['indent'], args);
      return jsonOf(value, isGiven(indent) ? whole(indent, 0, 'indent') : null);
    },
  ],
  [
    'xmlattr',
    (value, args) => {
      const [space = true] = bound('xmlattr', ['autospace'], args);
      if (!(value instanceof Map)) throw new TemplateFault('xmlattr needs a mapping');
      const given = [...value].filter(([, each]) => each !== null && !(each instanceof Undefined));
      const text = given.map(([name, each]) => `${escaped(textOf(name))}="${escaped(textOf(each))}"`).join(' ');
      return isTrue(space) && text !== '' ? ` ${text}` : text;
    },
  ],
];

function encoded(value: Value): string {
  const pairs = value instanceof Map ? [...value] : isList(value) ? value.map(itemsOf) : null;
  if (pairs === null) return urlEncoded(textOf(value), false);
  return pairs
    .map(([name = '', each = '']) => `${urlEncoded(textOf(name), true)}=${urlEncoded(textOf(each), true)}`)
    .join('&');
}
