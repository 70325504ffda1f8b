import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The behaviour of a function while it is switched off: returns its first argument, or false. */
type Off = 'unchanged' | 'no';

export interface Switchable {
  /** `interpret/columns/split-dose-column.ts#splitDoseColumn`. */
  readonly name: string;
  readonly off: Off;
}

/** Functions that return their argument with some correction. */
const MENDS = /^(?:with|without|split|join|part|mended|restored)[A-Z]/;
/** Questions that are usually answered with no. */
const ASKS = /^(?:is|are|has|may|ends|shows|closes)[A-Z]/;
const FUNCTION = /^(?:export )?(?:async )?function (\w+)(?:<[^\n]*?>)?\(/;
/** Of a body: the signature's last line. */
const BODY = /\{$/;

const SWITCH = Symbol.for('tripod.ablation');
const found = new Map<string, Switchable>();

/**
 * From here on, the top-level functions below `folder` whose names mark them as corrections or questions can be switched off, one at a
 * time. Modules imported earlier cannot. `asks` leaves out the questions: most would be wrong rather than missing.
 */
export function makeSwitchable(folder: string, { asks }: { readonly asks: boolean }): void {
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
  (globalThis as Record<symbol, unknown>)[SWITCH] = new Set(names);
}

function switchable(source: string, file: string, asks: boolean): string {
  const lines = source.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const name = FUNCTION.exec(lines[at]!)?.[1];
    if (name === undefined) continue;
    const off: Off | null = MENDS.test(name) ? 'unchanged' : asks && ASKS.test(name) ? 'no' : null;
    if (off === null) continue;
    let end = at;
    while (end < lines.length && !BODY.test(lines[end]!)) end++;
    const full = `${file}#${name}`;
    found.set(full, { name: full, off });
    const given = off === 'unchanged' ? 'arguments[0]' : 'false';
    // On the signature's line, so that the lines of stack traces stay.
    lines[end] +=
      ` if (globalThis[Symbol.for('tripod.ablation')]?.has(${JSON.stringify(full)})) return ${given} as never;`;
    at = end;
  }
  return lines.join('\n');
}
