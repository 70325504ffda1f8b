import { PATTERNS, type Pattern } from './patterns.ts';
import { proseOf } from './texts.ts';

export interface Finding {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly words: string;
  readonly pattern: Pattern;
}

/** Words that may stay in a file, with the reason. A line break in the file counts as a blank. */
export interface Allowed {
  readonly file: string;
  readonly words: string;
  readonly reason: string;
}

/** The patterns with each blank widened, so that a phrase broken over two lines is found. */
const WIDENED = PATTERNS.map((pattern) => ({
  pattern,
  expression: new RegExp(pattern.words.source.replaceAll(' ', '\\s+'), pattern.words.flags),
}));

export function findingsIn(file: string, source: string, allowed: readonly Allowed[] = []): readonly Finding[] {
  const exceptions = allowed.filter((entry) => entry.file === file).map(({ words }) => words);
  return proseOf(file, source).flatMap(({ kind, start, words }) =>
    WIDENED.filter(({ pattern: { only } }) => only === undefined || only === kind).flatMap(({ pattern, expression }) =>
      [...words.matchAll(expression)]
        .filter(({ index }) => !exceptions.some((exception) => covers(exception, words, index)))
        .map(({ 0: match, index }) => ({
          file,
          line: source.slice(0, start + index).split('\n').length,
          words: oneLine(words.slice(Math.max(0, index - 30), index + match.length + 30)).trim(),
          pattern,
        })),
    ),
  );
}

/** Whether the exception occurs in the text at this place. */
function covers(exception: string, words: string, index: number): boolean {
  const expression = new RegExp(escaped(exception).replaceAll(' ', '\\s+'), 'g');
  return [...words.matchAll(expression)].some(({ 0: match, index: at }) => at <= index && index < at + match.length);
}

const escaped = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const oneLine = (words: string) => words.replace(/\s+/g, ' ');
