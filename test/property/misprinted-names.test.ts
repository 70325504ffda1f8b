import { expect, test } from 'vitest';
import { CORPUS_TODAY, type CorpusDrug, priceToday } from '../../bench/corpus/master.ts';
import { mistypedAt, showsMisprint, withMisprints } from '../../bench/corpus/misprints.ts';
import { Random } from '../../bench/corpus/random.ts';
import { realMaster } from '../../bench/corpus/real-drugs.ts';
import { type NameStyle, printedName } from '../../bench/corpus/sheet/printed-name.ts';
import { listedDrugs } from '../../bench/listed-drugs.ts';
import { judgeTable } from '../../functions/extraction/domain/judging/judge-table.ts';
import { InMemoryDrugMaster } from '../../functions/extraction/domain/master/in-memory-drug-master.ts';
import { encodeMaster, openMaster, sortDrugs } from '../../functions/extraction/domain/master/master-file.ts';
import { foldName, startOfAdditions } from '../../functions/extraction/domain/master/name-parts.ts';
import { drugLine, drugTable } from '../helpers/drug-table.ts';

const LINES = 1000;

const list = (await listedDrugs()).map((drug) => ({ ...drug }));
const info = { version: '2026-11-01', dates: ['2026-11-01'], source: '', attribution: '' };
const master = new InMemoryDrugMaster(openMaster(encodeMaster({ info, drugs: sortDrugs(list) })));
const printed = realMaster(list);
const misprinted = withMisprints(printed, 1);

const STYLES: readonly NameStyle[] = (['listed', 'withoutPack', 'short', 'spaced'] as const).flatMap((parts) =>
  (['words', 'latin', 'square'] as const).flatMap((unit) =>
    (['none', 'both'] as const).map((addition) => ({
      parts,
      unit,
      addition: parts === 'listed' && addition === 'both' ? 'route' : addition,
      strengthOfPack: false,
      maker: 'none',
    })),
  ),
);

/** The line of a sheet that prints a drug right in all but perhaps its name; every letter was read surely. */
function judged(drug: CorpusDrug, name: string) {
  const [quantity, days, unitPrice] = [2, 7, priceToday(drug)!];
  const [prescribedQty, totalAmount] = [quantity * days, quantity * days * unitPrice];
  const line = drugLine({ drugCode: drug.code, drugName: name, quantity, days, prescribedQty, unitPrice, totalAmount });
  const drugName = { ...line.drugName, confidence: 1, letters: [...name].map(() => 1) };
  return judgeTable(drugTable([{ ...line, drugName }]), master, CORPUS_TODAY).items[0]!;
}

test(`returns ${LINES} misprinted names of listed drugs as printed, none of them GREEN`, () => {
  const random = new Random('misprinted names');
  const drugs = [...misprinted.drugs.tuned, ...misprinted.drugs.untuned].filter(({ listed }) => listed);
  const greens: string[] = [];
  let shown = 0;
  while (shown < LINES) {
    const drug = random.pick(drugs);
    const name = printedName(random, drug, random.pick(STYLES));
    if (!showsMisprint(drug, name)) continue;
    shown++;
    const item = judged(drug, name);
    expect(item.drugName).toBe(name);
    if (item.status === 'GREEN') greens.push(`${name} (${drug.misprint!.kind} of ${drug.misprint!.head})`);
  }
  expect(greens).toEqual([]);
});

test(`gives no GREEN to ${LINES} names with one other letter, in brackets too`, () => {
  const random = new Random('mistyped letters');
  const drugs = [...printed.drugs.tuned, ...printed.drugs.untuned].filter(({ listed }) => listed);
  const greens: string[] = [];
  for (let n = 0; n < LINES; n++) {
    const drug = random.pick(drugs);
    const name = printedName(random, drug, random.pick(STYLES));
    // The list says nothing of how a drug is given or counted.
    const places = [...name.slice(0, startOfAdditions(name))].flatMap((letter, at) =>
      /[가-힣a-z\d]/i.test(letter) ? at : [],
    );
    const wrong = mistypedAt(random, name, random.pick(places));
    if (foldName(wrong) !== foldName(name) && judged(drug, wrong).status === 'GREEN')
      greens.push(`${wrong} for ${name}`);
  }
  expect(greens).toEqual([]);
});
