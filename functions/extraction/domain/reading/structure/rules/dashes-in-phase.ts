import { type Dash, heightAt, stepOf } from './dash-evidence.ts';

/** In steps of a rule: how far from the places of its dashes a dash may stand that is drawn at the same places. */
const OFF = 0.13;
/** In letter heights: how far the dashes of one rule stand from one level. */
const LEVEL = 0.1;
/** In pixels: what is nearer to a rule is of that rule. */
const OWN = 4;
/** Fewer dashes are marks of a text, and so are dashes of which fewer stand at the places: a fourth does by chance. */
const MIN_DASHES = 6;
const MIN_SHARE = 2 / 3;
/** In pixels: with shorter steps dashes stand at the places by chance. */
const MIN_STEP = 6;
/** In letter heights. */
const MIN_LENGTH = 12;
/** Rules that others are compared with. */
const MAX_RULES = 60;

/**
 * Rules of which print hides nearly all: a form draws the dashes of one below those of the other, so that the few that are left stand at the
 * places of those of a rule that is seen.
 * @param dashes thin and short pieces of ink across the page. @param rules rows of even dashes.
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

/** Of the rules in whose width a dash stands. */
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

/** A dash beside a rule. */
interface Placed {
  readonly dash: Dash;
  /** In pixels below it. */
  readonly level: number;
  /** Whether it stands at the place of one of the rule's. */
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
