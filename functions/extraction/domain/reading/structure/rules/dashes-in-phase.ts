import { type Dash, heightAt, stepOf } from './dash-evidence.ts';

/** In steps of a rule: maximum deviation of a dash drawn in phase with the rule's dashes. */
const OFF = 0.13;
/** In letter heights: maximum deviation of one rule's dashes from a common level. */
const LEVEL = 0.1;
/** In pixels: a dash closer to a rule belongs to that rule. */
const OWN = 4;
/** Fewer dashes are marks of a text, as are dashes with fewer in phase: a fourth is by chance. */
const MIN_DASHES = 6;
const MIN_SHARE = 2 / 3;
/** In pixels: with shorter steps, dashes are in phase by chance. */
const MIN_STEP = 6;
/** In letter heights. */
const MIN_LENGTH = 12;
/** Rules that others are compared with. */
const MAX_RULES = 60;

/**
 * Rules that print hides almost entirely: a form draws the dashes of its rules in phase, so that the few remaining ones line up with
 * those of a visible rule.
 * @param dashes thin and short pieces of ink across the page.
 * @param rules rows of even dashes.
 */
export function dashesInPhase(
  dashes: readonly Dash[],
  rules: readonly (readonly Dash[])[],
  letterHeight: number,
): readonly (readonly Dash[])[] {
  const known = rules.filter((rule) => stepOf(rule) >= MIN_STEP).slice(0, MAX_RULES);
  const beside = Map.groupBy(dashes, (dash) => nearestRule(dash, known));
  return known.flatMap((rule) => rowsBeside(rule, beside.get(rule) ?? [], letterHeight));
}

/** Among the rules whose width contains the dash. */
function nearestRule({ from, to, at }: Dash, rules: readonly (readonly Dash[])[]): readonly Dash[] | undefined {
  let nearest: readonly Dash[] | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const rule of rules) {
    const away = Math.abs(rule[0]!.at - at);
    if (away >= least || from < rule[0]!.from || to > rule.at(-1)!.to) continue;
    nearest = rule;
    least = away;
  }
  return nearest;
}

/** A dash near a rule. */
interface Placed {
  readonly dash: Dash;
  /** In pixels below it. */
  readonly level: number;
  /** Whether it is in phase with one of the rule's dashes. */
  readonly inPhase: boolean;
}

function rowsBeside(
  rule: readonly Dash[],
  dashes: readonly Dash[],
  letterHeight: number,
): readonly (readonly Dash[])[] {
  const off = Math.max(1, OFF * stepOf(rule));
  const placed = dashes.map((dash): Placed => {
    const level = Math.round(dash.at - heightAt(rule, dash.from));
    return { dash, level, inPhase: rule.some(({ from }) => Math.abs(from - dash.from) <= off) };
  });
  const levels = Map.groupBy(
    placed.filter(({ level }) => Math.abs(level) >= OWN),
    ({ level }) => level,
  );
  const reach = Math.max(1, Math.round(LEVEL * letterHeight));
  const near = Array.from({ length: 2 * reach + 1 }, (_, n) => n - reach);
  const rows = [...levels.keys()].flatMap((level) => {
    const row = rowOf(
      near.flatMap((away) => levels.get(level + away) ?? []),
      letterHeight,
    );
    return row ? [{ level, row }] : [];
  });
  const found: typeof rows = [];
  for (const each of rows.sort((a, b) => b.row.length - a.row.length))
    if (!found.some(({ level }) => Math.abs(level - each.level) < OWN)) found.push(each);
  return found.map(({ row }) => row);
}

function rowOf(placed: readonly Placed[], letterHeight: number): readonly Dash[] | null {
  const own = placed.filter(({ inPhase }) => inPhase).map(({ dash }) => dash);
  if (own.length < MIN_DASHES || own.length < MIN_SHARE * placed.length) return null;
  const row = own.sort((a, b) => a.from - b.from);
  return row.at(-1)!.to - row[0]!.from >= MIN_LENGTH * letterHeight ? row : null;
}
