import { type CorpusDrug, type CorpusMaster, listedName } from '../master.ts';
import type { Random } from '../random.ts';

/** How one sheet writes names: hospitals shorten the list's name, and add to it, each in their own way. */
export interface NameStyle {
  readonly parts: 'listed' | 'withoutPack' | 'short' | 'spaced';
  readonly unit: 'words' | 'latin' | 'square';
  /** If only the pack states the strength, `_(0.1g/1정)`, it is printed behind the name, as `100mg`. */
  readonly strengthOfPack: boolean;
  /** A maker in brackets, on most lines; `cut` to its first letters before the name. */
  readonly maker: 'none' | 'cut' | 'before' | 'behind';
  readonly addition: 'none' | 'unit' | 'route' | 'both';
}

/** Names without anything that the list does not have. */
export const UNADORNED = { strengthOfPack: false, maker: 'none', addition: 'none' } as const;

export function nameStyle(random: Random): NameStyle {
  return {
    ...UNADORNED,
    parts: random.weighted({ listed: 25, withoutPack: 40, short: 22, spaced: 13 }),
    unit: random.weighted({ words: 50, latin: 42, square: 8 }),
  };
}

/**
 * The style with what real names get on paper. Invented names keep theirs, so that their pages stay what they are.
 * @param additions share of the sheets that print how a drug is given or counted.
 */
export function adorned(random: Random, { names }: CorpusMaster, style: NameStyle, additions: number): NameStyle {
  if (names === 'invented') return style;
  const strengthOfPack = random.chance(0.4);
  const maker = random.weighted({ none: 84, before: 8, behind: 8 });
  const addition = random.chance(additions) ? random.weighted({ unit: 40, route: 40, both: 20 }) : 'none';
  return {
    ...style,
    strengthOfPack,
    maker,
    // The whole name of the list ends in the unit already.
    addition: style.parts === 'listed' && addition !== 'none' ? 'route' : addition,
  };
}

const LATIN: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d)밀리(?:그램|그람)/g, 'mg'],
  [/(?<=\d)마이크로(?:그램|그람)/g, 'mcg'],
  [/(?<=\d)밀리(?:리터|리타)/g, 'mL'],
  [/(?<=\d)(?:그램|그람)/g, 'g'],
  [/(?<=\d)단위/g, 'IU'],
];
const SQUARE: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d)mg/g, '㎎'],
  [/(?<=\d)mL/g, '㎖'],
];

/** The full name as this sheet would print it, before its column cuts it. */
export function printedName(random: Random, drug: CorpusDrug, style: NameStyle): string {
  const maker = style.maker !== 'none' && random.chance(0.6) ? makerMark(random, drug.maker, style.maker) : '';
  const name = nameInParts(drug, style);
  return (style.maker === 'behind' ? name + maker : maker + name) + additionTo(drug, style);
}

function nameInParts(drug: CorpusDrug, style: NameStyle): string {
  const { parts, unit } = style;
  if (parts === 'listed' && unit === 'words') return listedName(drug);
  const ofPack = style.strengthOfPack && parts !== 'listed' && drug.strength === '' ? strengthOfPack(drug.pack) : '';
  const [word, strength] = splitHead(inUnits(drug.head + ofPack, unit));
  switch (parts) {
    case 'listed':
      return `${word}${strength}${drug.brackets}${drug.pack}`;
    case 'withoutPack':
      return `${word}${strength}${drug.brackets}`;
    case 'short':
      return `${word}${strength}`;
    case 'spaced':
      return [word, strength, drug.brackets].filter(Boolean).join(' ');
  }
}

/** A head before and from its strength, which ends it. */
function splitHead(head: string): readonly [string, string] {
  const at = head.search(/\d[\d.,/]*(?:[^\d.,/]{1,6})?$/);
  return at > 0 ? [head.slice(0, at), head.slice(at)] : [head, ''];
}

function inUnits(text: string, unit: NameStyle['unit']): string {
  const change = (from: string, words: typeof LATIN) =>
    words.reduce((all, [word, sign]) => all.replace(word, sign), from);
  if (unit === 'words') return text;
  return unit === 'latin' ? change(text, LATIN) : change(change(text, LATIN), SQUARE);
}

/** Labels have 100mg, 12.5mg and 375mg; 10.43mg is what the salt weighs. */
const LABELLED = /^0*[1-9]?\d0*$|^0*[1-9]\d?[05]0*$/;

/** In milligrams below a gram, as labels say it; empty where a pack holds no one strength of a label. */
function strengthOfPack(pack: string): string {
  const [, amount = '', unit = ''] = /^_\((\d[\d.]*)(mg|g)\/1(?:정|캡슐|포|병|매)\)$/.exec(pack) ?? [];
  if (!LABELLED.test(amount.replace('.', ''))) return '';
  const milligrams = Number((Number(amount) * (unit === 'g' ? 1000 : 1)).toFixed(4));
  return milligrams < 1000 ? `${milligrams}mg` : `${milligrams / 1000}g`;
}

function additionTo({ route, addition }: CorpusDrug, style: NameStyle): string {
  const routed = style.addition === 'route' || style.addition === 'both' ? `(${route})` : '';
  return routed + (style.addition === 'unit' || style.addition === 'both' ? addition : '');
}

/** `한국오츠카제약(주)` is printed `(한국오츠카제약)` or `(오츠카)`. */
function makerMark(random: Random, maker: string, place: 'cut' | 'before' | 'behind'): string {
  if (place === 'cut') return `(${maker.slice(0, random.int(2, 3))})`;
  const whole = maker.replace(/\([주유]\)|㈜|\s/g, '');
  const short = whole
    .replace(/^한국(?=..)/, '')
    .replace(/(?<=..)(?:제약|약품|양행|파마|팜|코리아|바이오|헬스케어|메디칼|약품공업)$/, '');
  const letters = random.chance(0.6) ? short : whole;
  return place === 'behind' && random.chance(0.3) ? `[${letters}]` : `(${letters})`;
}
