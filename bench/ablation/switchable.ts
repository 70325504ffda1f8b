import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Result of a function that is switched off: its first argument, or this value. */
type Off = { readonly kind: 'unchanged' } | { readonly kind: 'value'; readonly value: unknown };

export interface Switchable {
  /** `interpret/columns/split-times-of-day.ts#splitTimesOfDay`. */
  readonly name: string;
  readonly off: Off;
}

const UNCHANGED: Off = { kind: 'unchanged' };
const NO: Off = { kind: 'value', value: false };

/** Finders whose names do not show it, with what they return where there is nothing to find. */
const FINDERS: Readonly<Record<string, unknown>> = {
  columnBeginnings: new Map(),
  detectDocumentQuad: null,
  gapBetweenGrids: null,
  gapBetweenSides: null,
  headersAbove: [],
  missingRules: [],
  movedBorder: null,
  printOnColumnRule: null,
  struckNumbers: new Map(),
  wholePrint: null,
};
/** Corrections whose names do not show it. */
const CORRECTIONS = new Set([
  ...['alignColumns', 'alignRows', 'alikeInKind', 'alongStrokes', 'atEvenSpaces', 'closeSides', 'confirmTables'],
  ...['followEnds', 'fromBeginning', 'invertTextBands', 'mergeCollinear', 'printOverForeignRules', 'refineQuad'],
  ...['rowsUpwards', 'smoothGrain', 'straightRules', 'stretchPalePrint', 'takeOutMarks', 'trim'],
]);

/** Functions that return their argument with some correction. */
const MENDS = /^(?:with|without|split|join|part|mended|restored)[A-Z]/;
/** Questions that are usually answered with no. */
const ASKS = /^(?:is|are|has|may|ends|shows|closes)[A-Z]/;
const FUNCTION = /^(export )?(async )?function (\w+)(?=[<(])/;

const CALL = Symbol.for('tripod.ablation');
const found = new Map<string, Switchable>();
let switchedOff: ReadonlySet<string> = new Set();
let acted: Set<string> | null = null;

/**
 * From here on, the top-level functions below `folder` that are corrections, finders or questions can be switched off. Modules imported
 * earlier cannot. `asks` leaves out the questions: most would be wrong rather than missing.
 */
export function makeSwitchable(folder: string, { asks }: { readonly asks: boolean }): void {
  (globalThis as Record<symbol, unknown>)[CALL] = call;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.startsWith('file:') || !fileURLToPath(url).startsWith(folder)) return loaded;
      const source = String(loaded.source);
      return { ...loaded, source: switchable(source, relative(folder, fileURLToPath(url)), asks) };
    },
  });
}

/** All switchable functions of the modules imported so far, by name. */
export function switchables(): readonly Switchable[] {
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Switches these functions off, and all others on. */
export function switchOff(...names: readonly string[]): void {
  switchedOff = new Set(names);
}

/**
 * The functions that did something during the work: without the others, it would have ended the same. Functions that change their argument
 * and return it seem to do nothing.
 */
export async function actedDuring(work: () => Promise<void>): Promise<ReadonlySet<string>> {
  acted = new Set();
  try {
    await work();
    return acted;
  } finally {
    acted = null;
  }
}

function call(name: string, given: readonly unknown[], run: (...given: readonly unknown[]) => unknown): unknown {
  const { off } = found.get(name)!;
  const without = off.kind === 'unchanged' ? given[0] : off.value;
  if (switchedOff.has(name)) return without;
  const value = run(...given);
  if (acted === null || acted.has(name)) return value;
  const note = (result: unknown) => {
    if (!isSame(result, without)) acted?.add(name);
    return result;
  };
  return value instanceof Promise ? value.then(note) : note(value);
}

/** Whether two values are one, or hold the same ones. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Map) return a.size === 0 && b instanceof Map && b.size === 0;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  const [left, right] = [a, b] as Record<string, unknown>[];
  return keys.length === others.length && keys.every((key) => key in right! && Object.is(left![key], right![key]));
}

function switchable(source: string, file: string, asks: boolean): string {
  const wrappers: string[] = [];
  const renamed = source.split('\n').map((line) => {
    const [head, exported = '', asynchronous = '', name] = FUNCTION.exec(line) ?? [];
    const off = name === undefined ? null : offOf(name, asks);
    if (head === undefined || name === undefined || off === null) return line;
    const full = `${file}#${name}`;
    found.set(full, { name: full, off });
    const called = `globalThis[Symbol.for('tripod.ablation')](${JSON.stringify(full)}, given, ${name}$on)`;
    wrappers.push(`${exported}function ${name}(...given) { return ${called}; }`);
    return `${asynchronous}function ${name}$on${line.slice(head.length)}`;
  });
  return [...renamed, ...wrappers].join('\n');
}

function offOf(name: string, asks: boolean): Off | null {
  if (MENDS.test(name) || CORRECTIONS.has(name)) return UNCHANGED;
  if (Object.hasOwn(FINDERS, name)) return { kind: 'value', value: FINDERS[name] };
  return asks && ASKS.test(name) ? NO : null;
}
