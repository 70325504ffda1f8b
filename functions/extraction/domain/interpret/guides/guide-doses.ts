import { joinReadings, partOf } from '../../reading/reading-parts.ts';
import type { Reading } from '../../reading/table-reader.ts';
import type { TableField, Template } from '../../reading/template.ts';
import { COUNT_FIELDS } from '../headers/column-kinds.ts';
import { type HeaderMatch, isBeginning, matchHeader } from '../headers/header-words.ts';
import { DRUG_UNIT } from '../numbers/drug-units.ts';
import { withoutParts } from '../numbers/parts-of-one.ts';
import { groupByLevel, hullOf, overlap, type Print } from '../print.ts';
import type { DoseLine } from './dose-line.ts';
import { stackedDoses } from './stacked-doses.ts';

/** Pairs that make a dose: one alone is found in any text. */
const MIN_PAIRS = 2;

/** In line heights: more distant prints belong to different blocks. */
const MAX_GAP = 4;

/** The doses that prints state, from the top of the page down: each in one line of labels and values, or in words, or in such a line that is wrapped. */
export function dosesOf(prints: readonly Print[], template: Template): readonly DoseLine[] {
  const inLevels = dosesIn(levelsOf(prints), template);
  const inRows = dosesIn(tableRows(prints), template);
  if (inLevels.length > 0) return valuesIn(inRows) > valuesIn(inLevels) ? inRows : inLevels;
  const stacked = stackedDoses(prints, template).filter(isDose);
  return stacked.length > 0 ? stacked : inRows;
}

function dosesIn(groups: readonly (readonly Print[])[], template: Template): readonly DoseLine[] {
  const lines = groups.flatMap((group) => doseLines(group, template)).sort((a, b) => a.box.y - b.box.y);
  return joinWrapped(lines).filter(isDose);
}

function valuesIn(doses: readonly DoseLine[]): number {
  return doses.reduce((sum, { values }) => sum + values.size, 0);
}

/** Advice says how often at most, and a page's heading for how many days: neither says how much at a time. */
function isDose({ values, worded }: DoseLine): boolean {
  return values.size >= MIN_PAIRS && (!worded || values.has('quantity'));
}

/** In line heights: maximum distance of a dose's next line below its first, perhaps in cells, and maximum indent. */
const WRAPPED = { gap: 2, indent: 2 };

/** A dose continues in the line right below, with the parts that its first line lacks. */
function joinWrapped(lines: readonly DoseLine[]): readonly DoseLine[] {
  const joined: DoseLine[] = [];
  for (const line of lines) {
    const { x, y, height } = line.box;
    const at = joined.findIndex(({ values, box, worded }) => {
      const gap = y - box.y - box.height;
      return (
        worded === line.worded &&
        gap > -0.5 * height &&
        gap < WRAPPED.gap * height &&
        Math.abs(x - box.x) < WRAPPED.indent * height &&
        [...line.values.keys()].every((field) => !values.has(field))
      );
    });
    const first = joined[at];
    if (first === undefined) joined.push(line);
    else
      joined[at] = {
        ...first,
        values: new Map([...first.values, ...line.values]),
        box: hullOf([first.box, line.box]),
      };
  }
  return joined;
}

/** A typical width, relative to a syllable. */
export function letterWidth(letter: string): number {
  if (/\p{Script=Hangul}/u.test(letter)) return 1;
  return /[a-z\d]/i.test(letter) ? 0.6 : 0.4;
}

export function widthOf(text: string): number {
  return Array.from(text, letterWidth).reduce((sum, each) => sum + each, 0);
}

/** Part of the height of a line's letters that a speck among them has at most. */
const SPECK = 0.5;

/** Prints side by side, from left to right, up to a wide blank. */
function levelsOf(prints: readonly Print[]): readonly (readonly Print[])[] {
  const levels: Print[][] = [];
  for (const print of [...prints].sort((a, b) => a.box.x - b.box.x)) {
    const level = levels.find((each) => {
      // A speck between two words has the gap of the words, and may be above or below their middle.
      const tallest = Math.max(...each.map(({ box }) => box.height));
      const { y, height } = each.findLast(({ box }) => box.height >= SPECK * tallest)!.box;
      const right = Math.max(...each.map(({ box }) => box.x + box.width));
      const shared = overlap(y, y + height, print.box.y, print.box.y + print.box.height);
      const gap = print.box.x - right;
      return shared > 0.5 * Math.min(height, print.box.height) && gap < MAX_GAP * Math.max(print.box.height, tallest);
    });
    if (level) level.push(print);
    else levels.push([print]);
  }
  return levels;
}

/** Prints in the cells of one row, at any distance. */
function tableRows(prints: readonly Print[]): readonly (readonly Print[])[] {
  const inRows = Map.groupBy(prints, ({ table }) => table).values();
  return [...inRows].flatMap((own) =>
    [
      ...Map.groupBy(
        own.filter(({ cell }) => cell !== null),
        ({ cell }) => cell!.row,
      ).values(),
    ].flatMap(groupByLevel),
  );
}

/** The doses of a level by their labels, or else in words. */
function doseLines(level: readonly Print[], template: Template): readonly DoseLine[] {
  const labelled = labelledDoses(level, template);
  if (labelled.some(isDose)) return labelled;
  const worded = wordedDoses(level);
  return worded.some(isDose) || labelled.length === 0 ? worded : labelled;
}

/** Misreadings of the digit in 1회 and 1일. */
const READ_FOR_ONE = /^[[|](?=[회일])/;
/** Surer than a label by itself has to be: units of days look like one. */
const GLUED_SCORE = 0.95;

/** The field that a label announces; 1회 heads a narrow column, but in a line it belongs to a dose in words: 1회 1정. */
function matchLabel(text: string, template: Template): HeaderMatch | null {
  return isBeginning(text) ? null : matchHeader(text, template);
}

/** The doses of a level, of two blocks where their first label comes again behind all of one. */
function labelledDoses(level: readonly Print[], template: Template): readonly DoseLine[] {
  const doses: DoseLine[] = [];
  let values = new Map<TableField, Reading>();
  let used: Print[] = [];
  let label = '';
  let labelled: Print[] = [];
  /** The field of a digit right behind its label: the edge of a label's box reads as a digit. */
  let glued: TableField | null = null;
  const finish = () => {
    if (values.size > 0) doses.push({ values, box: hullOf(used.map(({ box }) => box)), worded: false });
    [values, used] = [new Map(), []];
  };
  for (const print of level)
    for (const { token, from, to, isGlued } of tokensOf(print, template)) {
      const text = token.text.replace(READ_FOR_ONE, '1');
      const part = lettersOf(print, from, to);
      const header = matchLabel(text, template);
      // 1일횟수 is a label, though it looks like a number with its unit.
      const isLabel = header !== null && header.score >= GLUED_SCORE;
      const number = isLabel ? null : /^(\d[\d.,]*)\p{L}{0,3}$/u.exec(text);
      const kind = number && label !== '' ? matchLabel(label, template)?.kind : undefined;
      const field = COUNT_FIELDS.find((each) => each === kind);
      if (glued !== null && number !== null && label === '' && text !== number[1]) {
        values.set(glued, partOf(token, 0, number[1]!.length));
        used.push(part);
      } else if (field !== undefined) {
        const start = (labelled[0] ?? print).box.x;
        const [first] = values.keys();
        if (field === first && used.every(({ box }) => box.x + box.width <= start)) finish();
        values.set(field, partOf(token, 0, number![1]!.length));
        used.push(...labelled, part);
        label = '';
        labelled = [];
        // Text before the first label is not part of it.
      } else if (number === null && header !== null) {
        label = text;
        labelled = [part];
      } else {
        label += text;
        labelled.push(part);
      }
      glued = isGlued && field !== undefined ? field : null;
    }
  finish();
  return doses;
}

/** Between a word and its number. */
const TO_NUMBER = String.raw`\s?(?:[:：]\s?)?`;
/** Single doses: 1회 1.5정, 1회 : 1.5정; but not 1회 3일. */
const EACH_TIME = String.raw`1\s?[회번]에?${TO_NUMBER}(\d[\d.,]*|[1-3]\/[2-4])\s?(?!일)(?=\p{L})`;
/** 0.5정씩 하루, 1정 1일 3회, 1정 3회: the same by its unit, right before how often. */
const BEFORE_TIMES = String.raw`(\d{1,4}(?:[.,]\d{1,4})?|[1-3]\/[2-4])\s?${DRUG_UNIT}(?:씩)?[\s,·/×x]{1,3}(?=하루|1\s?일\s?\d|\d\s?회)`;

/**
 * A dose in words: 1회 1.5정 1일 3회 5일분, 0.5정씩 하루 3번 3일치; the days behind the times without a word, too. Where it is printed in columns
 * that only units tell apart: 1정 3회 5일.
 */
const WORDED: Readonly<Record<'quantity' | 'timesPerDay' | 'days', RegExp>> = {
  quantity: new RegExp(String.raw`(?:^|[\s,·(:：]|(?<!\d)\/)(?:${EACH_TIME}|${BEFORE_TIMES})`, 'dgu'),
  timesPerDay: new RegExp(
    String.raw`(?:1\s?일|하루)에?${TO_NUMBER}(\d)\s?[회번]|(?<=\p{L}[\s,·/×x]{1,3})(\d)\s?[회번](?!${TO_NUMBER}\d)`,
    'dgu',
  ),
  days: /(?:(\d{1,3})\s?일\s?[분간치]|(?<=[회번][\s,·/×x]{1,3})(\d{1,3})\s?일(?!\s?\d)|일수\s?[:：]?\s?(\d{1,3}))/dgu,
};

/** The doses in words of a level, of two blocks where what the first starts with comes again. */
function wordedDoses(level: readonly Print[]): readonly DoseLine[] {
  const line = joinReadings(level, ' ');
  const places = Object.entries(WORDED)
    .flatMap(([field, pattern]) =>
      [...line.text.matchAll(pattern)].map(({ index, 0: { length }, indices }) => {
        return {
          field: field as keyof typeof WORDED,
          from: index,
          to: index + length,
          value: indices!.slice(1).find((each) => each !== undefined)!,
        };
      }),
    )
    .sort((a, b) => a.from - b.from);
  const starts = places.flatMap(({ field }, index) => (field === places[0]!.field ? [index] : []));
  return starts.map((start, n) => wordedDose(line, level, places.slice(start, starts[n + 1])));
}

interface WordedValue {
  readonly field: keyof typeof WORDED;
  readonly from: number;
  readonly to: number;
  readonly value: readonly [number, number];
}

function wordedDose(line: Reading, level: readonly Print[], places: readonly WordedValue[]): DoseLine {
  const values = new Map(
    places.toReversed().map(({ field, value }) => [field, withoutParts(partOf(line, ...value))] as const),
  );
  const [from, to] = [Math.min(...places.map((place) => place.from)), Math.max(...places.map((place) => place.to))];
  let end = -1;
  const boxes = level.flatMap((print) => {
    const start = end + 1;
    end = start + print.text.length;
    if (from >= end || to <= start) return [];
    return [lettersOf(print, Math.max(0, from - start), Math.min(print.text.length, to - start)).box];
  });
  return { values, box: hullOf(boxes), worded: true };
}

interface Token {
  readonly token: Reading;
  /** Its start and end in the reading of its print. */
  readonly from: number;
  readonly to: number;
  /** Whether it is a number right behind its label. */
  readonly isGlued: boolean;
}

/** A print with the box of some of its letters: a name before a dose, or advice behind it, may share a line with the next column. */
function lettersOf(print: Print, from: number, to: number): Print {
  if (from === 0 && to === print.text.length) return print;
  const unit = print.box.width / widthOf(print.text);
  const x = print.box.x + unit * widthOf(print.text.slice(0, from));
  return { ...print, box: { ...print.box, x, width: unit * widthOf(print.text.slice(from, to)) } };
}

/** Letters between blanks, colons and strokes that separate pairs; a fraction's stroke does not separate. */
const WORD = /(?:[^\s:：/]|(?<=\d)\/(?=\d))+/g;

/** Labels and values of a print, also where no blank separates them: 총투약일수14, 2일수, 1.001일 투여횟수. */
function tokensOf(print: Print, template: Template): readonly Token[] {
  const words = [...print.text.matchAll(WORD)];
  return words.flatMap(({ 0: word, index }, n) => {
    const value = /(?<=\p{Script=Hangul})\d[\d.,]*$/u.exec(word)?.index ?? word.length;
    const label = labelBehindNumber(word.slice(0, value), words[n + 1]?.[0] ?? '', template);
    const ends = [...new Set([label, value, word.length])].filter((end) => end > 0);
    return ends.map((end, i) => {
      const [from, to] = [index + (ends[i - 1] ?? 0), index + end];
      return { token: partOf(print, from, to), from, to, isGlued: value > 0 && from === index + value };
    });
  });
}

/** Start of the label right behind a number, whole or up to the next blank; 0 without one. */
function labelBehindNumber(word: string, next: string, template: Template): number {
  const digits = /^\d[\d.,]*(?=\p{L})/u.exec(word)?.[0].length ?? 0;
  let best = { at: 0, score: GLUED_SCORE };
  for (let at = 1; at <= digits; at++)
    for (const label of [word.slice(at), word.slice(at) + next]) {
      const score = matchLabel(label, template)?.score ?? 0;
      if (score >= best.score && /^\d[\d.,]*$/.test(word.slice(0, at))) best = { at, score };
    }
  return best.at;
}
