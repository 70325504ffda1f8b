import { textWidth } from '../../../drawing/drawing.ts';
import type { Random } from '../../../random.ts';
import type { DoseColumn, FormPlan } from '../form-plan.ts';

const ENGLISH: Readonly<Record<DoseColumn['kind'], readonly string[]>> = {
  quantity: ['Dose', 'Dose', 'Dosage', 'Dose/time'],
  daily: ['Daily dose', 'Total/day'],
  timesPerDay: ['Freq', 'Freq.', 'Times', 'Times/day', 'Freq./day'],
  days: ['Days', 'Days', 'Total days', 'Duration'],
  share: ['Ins.'],
  dose: ['Dose / Freq / Days', 'Dose/Times/Days'],
};
const NAMES = ['Drug name', 'Medication', 'Name of drug', 'Medicine', 'DRUG NAME'];
const USAGES = ['Usage', 'Sig.', 'Directions', 'Route'];
/** Of a line's width at the form's own size, that its column leaves it at least: printers set headers smaller. */
const TIGHT = 0.85;

/** Headers in two languages: English words above, below or next to the Korean ones, in the same cell. */
export function twoLanguages(random: Random, plan: FormPlan): FormPlan {
  const place = random.weighted({ above: 45, below: 30, beside: 25 });
  const upper = random.chance(0.15);
  const write = (words: readonly string[]) => {
    const word = random.pick(words);
    return upper ? word.toUpperCase() : word;
  };
  // Consistent within a form: all words next to the Korean ones, or all above.
  const both = (korean: readonly string[], words: readonly string[]): readonly string[] => {
    const english = write(words);
    if (place === 'above') return [english, ...korean];
    if (place === 'below') return [...korean, english];
    return [`${english} ${korean[0]}`, ...korean.slice(1)];
  };
  const columns = plan.columns.map((column) => {
    const header = both(column.header, ENGLISH[column.kind]);
    const needed = Math.max(...header.map((one) => textWidth(one, { font: plan.formFont, size: 1 })));
    return { ...column, header, width: Math.max(column.width, Math.min(needed * TIGHT, column.width * 1.7)) };
  });
  const lines = Math.max(...columns.map(({ header }) => header.length));
  return {
    ...plan,
    columns,
    nameHeader: both(plan.nameHeader, NAMES),
    // Next to a column of codes, the header of names is the same as in the form of law.
    codeColumn: false,
    usageHeader: both([random.pick(['용법', '용 법'])], USAGES),
    minHeaderHeight: Math.max(plan.minHeaderHeight, lines * 1.05 + 0.2),
  };
}
