import { createHash } from 'node:crypto';
import type { MasterDrug } from '../../functions/extraction/domain/master/drug-master.ts';
import { inventedMaster } from './invented-drugs.ts';
import { partsOfName, pricedUnitOf, routeOf } from './listed-name.ts';
import { type CorpusDrug, type CorpusMaster, priceToday } from './master.ts';
import { Random } from './random.ts';
import type { Split } from './truth.ts';
import { MAKERS } from './vocabulary.ts';

/** Of the drugs that pages print: they read unknown ones too. */
const INVENTED_SHARE = 0.15;
/** Dearer drugs do not concern the papers that are drawn here, and their amounts of no column. */
const MAX_PRICE_KRW = 500_000;
/** Characters that the fonts contain. */
const PRINTABLE = /^[ -~가-힣·μβα㎎㎖㎍×]+$/;

/** Always the same, and costly to make. */
let invented: CorpusMaster | undefined;

/** The drugs of a published list, and invented ones that it does not hold; brands of one split are none of the other. */
export function realMaster(list: readonly MasterDrug[]): CorpusMaster {
  const real = list.map(corpusDrug);
  const byCode = new Map(real.map((drug) => [drug.code, drug]));
  const printed = real.filter((drug) => PRINTABLE.test(drug.head + drug.brackets + drug.pack) && isPriced(drug));
  invented ??= inventedMaster();
  const { drugs: strange } = invented;
  const drugsOf = (split: Split) => {
    const own = printed.filter(({ brand }) => splitOf(brand) === split);
    const count = Math.round((own.length * INVENTED_SHARE) / (1 - INVENTED_SHARE));
    const strangers = new Random(`strangers ${split}`)
      .shuffled(strange[split].filter(({ code }) => !byCode.has(code)))
      .slice(0, count)
      .map((drug) => ({ ...drug, listed: false }));
    return [...own, ...strangers];
  };
  const drugs = { tuned: drugsOf('tuned'), untuned: drugsOf('untuned') };
  for (const drug of [...drugs.tuned, ...drugs.untuned]) byCode.set(drug.code, drug);
  for (const { code, oldCodes } of list)
    for (const old of oldCodes) if (!byCode.has(old)) byCode.set(old, byCode.get(code)!);
  return { names: 'real', drugs, byCode };
}

/** By the brand alone, so that a longer list leaves every brand where it is. */
function splitOf(brand: string): Split {
  return createHash('sha256').update(brand).digest()[0]! % 2 === 0 ? 'tuned' : 'untuned';
}

function isPriced(drug: CorpusDrug): boolean {
  const krw = priceToday(drug);
  return krw !== null && krw > 0 && krw <= MAX_PRICE_KRW;
}

export function corpusDrug({ code, name, maker, unit, prices }: MasterDrug): CorpusDrug {
  const parts = partsOfName(name);
  const route = routeOf(unit, parts.head);
  return {
    ...parts,
    code,
    maker: maker || makerOf(code, splitOf(parts.brand)),
    unit,
    pricedUnit: pricedUnitOf(unit, route),
    addition: `/${unit.replace(/\s|\(.*/g, '')}`,
    route,
    listed: true,
    prices,
  };
}

/** One for all drugs of a company, though not the true one: a list of prices may name none. */
function makerOf(code: string, split: Split): string {
  return new Random(`maker ${code.slice(0, 4)}`).pick(MAKERS[split]);
}
