import { characterBreak } from './character-break.ts';
import { type Dialect, type DialectName, dialects, writeRuns } from './dialects.ts';
import { type Indent, isPlainMarkdown, type Leaf, type Mark, type Run, readMarkdown } from './read-markdown.ts';

/** A part that is at least so full ends before the next block, which then stays in one. */
const MIN_FILL = 0.5;
/** A link that is no longer than this share of a part is not split. */
const MAX_WHOLE_LINK = 0.25;

/**
 * Renders Markdown for a platform, in parts of at most `maxLength` UTF-16 units. The tree is split, not the text: bold, links and code
 * continue on both sides of a cut. A part ends between blocks, lines or words; only a word longer than a part is broken, between visible
 * characters.
 */
export function renderParts(markdown: string, name: DialectName, maxLength: number): readonly string[] {
  const dialect = dialects[name];
  const text = markdown.toWellFormed();
  if (dialect.isMarkdown && text.trim().length <= maxLength && isPlainMarkdown(text))
    return text.trim() === '' ? [] : [trimmedEnds(text)];
  return packed(readMarkdown(text, dialect), dialect, maxLength);
}

/** Without blank lines around it; the indent of its first line stays. */
function trimmedEnds(text: string): string {
  return text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
}

function packed(leaves: readonly Leaf[], dialect: Dialect, maxLength: number): readonly string[] {
  const parts: string[] = [];
  let current = '';
  let margin = 0;
  /** Whether the last block has no indent: a list right behind it would be taken for its text. */
  let isPlain = false;
  const flush = () => {
    if (current.trim() !== '') parts.push(current.trimEnd());
    current = '';
  };
  const queue = leaves.map((leaf) => headed(leaf, dialect)).toReversed();
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    // What starts a part starts at its left: an indent that refers to an earlier part would be one of code.
    const blanks = /^ */.exec(next.indent.first)![0].length;
    margin = current === '' ? blanks : Math.min(margin, blanks);
    const leaf = outdented(next, margin);
    const separator = current === '' ? '' : leaf.isApart || (isPlain && hasSign(leaf)) ? '\n\n' : '\n';
    const written = writeLeaf(leaf, dialect);
    if (current.length + separator.length + written.length <= maxLength) {
      current += separator + written;
      isPlain = leaf.kind === 'text' && leaf.indent.first === '';
      continue;
    }
    const isFull = current.length >= maxLength * MIN_FILL;
    if (current !== '' && (isFull || leaf.kind === 'code')) {
      flush();
      queue.push(next);
      continue;
    }
    const split = splitLeaf(leaf, maxLength - current.length - separator.length, current === '', dialect, maxLength);
    if (split === null) {
      flush();
      queue.push(next);
      continue;
    }
    current += separator + writeLeaf(split[0], dialect);
    flush();
    queue.push(split[1]);
  }
  flush();
  return parts;
}

const hasSign = ({ indent }: Leaf) => indent.first !== indent.rest;

function outdented(leaf: Leaf, margin: number): Leaf {
  if (margin === 0) return leaf;
  const { first, rest } = leaf.indent;
  const without = (indent: string) => indent.slice(Math.min(margin, /^ */.exec(indent)![0].length));
  return { ...leaf, indent: { first: without(first), rest: without(rest) } };
}

function writeLeaf(leaf: Leaf, dialect: Dialect): string {
  return indented(
    leaf.kind === 'code'
      ? dialect.codeBlock(leaf.language, leaf.lines)
      : dialect.heading(leaf.level) + writeRuns(leaf.runs, dialect),
    { first: dialect.escapeIndent(leaf.indent.first), rest: dialect.escapeIndent(leaf.indent.rest) },
  );
}

function indented(text: string, { first, rest }: Indent): string {
  if (first === '' && rest === '') return text;
  return text
    .split('\n')
    .map((line, index) => (index === 0 ? first : rest) + line)
    .join('\n');
}

const STRONG: Mark = { kind: 'strong' };

/** Headings without a mark are bold throughout, in each of their parts. */
function headed(leaf: Leaf, dialect: Dialect): Leaf {
  if (leaf.kind === 'code' || leaf.level === 0 || dialect.heading(leaf.level) !== '') return leaf;
  const runs = leaf.runs.map(({ text, marks }) => ({
    text,
    marks: marks.some(({ kind }) => kind === 'code')
      ? marks
      : [STRONG, ...marks.filter(({ kind }) => kind !== 'strong')],
  }));
  return { ...leaf, runs, level: 0 };
}

/** @returns null where nothing of the block fits, and the part is not empty. */
function splitLeaf(
  leaf: Leaf,
  room: number,
  isEmpty: boolean,
  dialect: Dialect,
  maxLength: number,
): readonly [Leaf, Leaf] | null {
  const fits = (candidate: Leaf) => writeLeaf(candidate, dialect).length <= room;
  const behind = { indent: { first: leaf.indent.rest, rest: leaf.indent.rest }, isApart: false };
  if (leaf.kind === 'code') {
    const plain = fits({ ...leaf, lines: [''] }) ? leaf : { ...leaf, language: '' };
    const count = greatest(plain.lines.length - 1, (n) => fits({ ...plain, lines: plain.lines.slice(0, n) }));
    if (count > 0)
      return [
        { ...plain, lines: plain.lines.slice(0, count) },
        { ...plain, ...behind, lines: plain.lines.slice(count) },
      ];
    const [line = '', ...others] = plain.lines;
    const cut = cutOf(line, (length) => fits({ ...plain, lines: [line.slice(0, length)] }));
    return [
      { ...plain, lines: [line.slice(0, cut)] },
      { ...plain, ...behind, lines: [line.slice(cut), ...others] },
    ];
  }
  const text = leaf.runs.map((run) => run.text).join('');
  const breaks = breaksOf(leaf.runs, Math.floor(maxLength * MAX_WHOLE_LINK));
  const count = greatest(breaks.length, (n) => fits({ ...leaf, runs: runsUpTo(leaf.runs, breaks[n - 1]!) }));
  if (count === 0 && !isEmpty) return null;
  const cut =
    count > 0 ? breaks[count - 1]! : cutOf(text, (length) => fits({ ...leaf, runs: runsUpTo(leaf.runs, length) }));
  return [
    { ...leaf, runs: runsUpTo(leaf.runs, cut) },
    { ...leaf, ...behind, level: 0, runs: runsFrom(leaf.runs, cut) },
  ];
}

/** The greatest number up to `max` that holds, where each smaller one holds as well; 0 where none does. */
function greatest(max: number, holds: (n: number) => boolean): number {
  let [low, high] = [0, max];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where a word that is longer than a part is cut: between characters as they are seen, and at least behind the first. */
function cutOf(text: string, fits: (length: number) => boolean): number {
  const most = greatest(text.length, fits);
  return Math.max(1, characterBreak(text, Math.max(1, most)));
}

/** Places in the text of some runs where a line may be broken, each behind a blank. */
function breaksOf(runs: readonly Run[], maxWholeLink: number): readonly number[] {
  const text = runs.map((run) => run.text).join('');
  const links = stretchesOfLinks(runs).filter(([from, to]) => to - from <= maxWholeLink);
  const found: number[] = [];
  let next = 0;
  for (const { index } of text.matchAll(/\s(?=\S)/g)) {
    const place = index + 1;
    while (next < links.length && links[next]![1] <= place) next++;
    const around = links[next];
    if (around === undefined || place <= around[0]) found.push(place);
  }
  return found;
}

/** From where to where each link goes. */
function stretchesOfLinks(runs: readonly Run[]): (readonly [number, number])[] {
  const stretches: [number, number][] = [];
  let at = 0;
  let last: Mark | undefined;
  for (const { text, marks } of runs) {
    const mark = marks.find(({ kind }) => kind === 'link');
    if (mark !== undefined && mark === last) stretches.at(-1)![1] = at + text.length;
    else if (mark !== undefined) stretches.push([at, at + text.length]);
    last = mark;
    at += text.length;
  }
  return stretches;
}

function runsUpTo(runs: readonly Run[], end: number): readonly Run[] {
  const taken: Run[] = [];
  let left = end;
  for (const run of runs) {
    if (left <= 0) break;
    taken.push(run.text.length <= left ? run : { ...run, text: run.text.slice(0, left) });
    left -= run.text.length;
  }
  const last = taken.pop();
  return last === undefined ? [] : [...taken, { ...last, text: last.text.trimEnd() }];
}

function runsFrom(runs: readonly Run[], start: number): readonly Run[] {
  let skip = start;
  return runs.flatMap((run) => {
    const skipped = Math.min(skip, run.text.length);
    skip -= skipped;
    return skipped === run.text.length && run.text !== '' ? [] : [{ ...run, text: run.text.slice(skipped) }];
  });
}
