import type { CorpusMaster } from '../../master.ts';
import type { Random } from '../../random.ts';
import {
  amountsOf,
  isInjected,
  type PrescribedLine,
  prescribedLines,
  writeDose,
} from '../../sheet/prescribed-lines.ts';
import { adorned, UNADORNED } from '../../sheet/printed-name.ts';
import type { Split } from '../../truth.ts';
import type { DrugColumn } from './drug-columns.ts';
import { claimColumns, orderColumns } from './drug-columns.ts';
import type { GridRow } from './screen-grid.ts';

/** A drug line of the grid, or another line between them: a diagnosis, a fee, a remark. */
type OrderLine =
  | { readonly drug: PrescribedLine }
  | { readonly code: string; readonly text: string; readonly color: string; readonly fee: boolean };

export interface DrugGridPlan {
  readonly columns: readonly DrugColumn[];
  readonly lines: readonly OrderLine[];
  readonly rows: readonly GridRow[];
}

export function drugGrid(random: Random, master: CorpusMaster, split: Split, order: boolean): DrugGridPlan {
  const columns = order ? orderColumns(random) : claimColumns(random);
  const decimals = random.pick([0, 0, 2, 4, 4]);
  const timesDecimals = decimals > 0 && random.chance(0.25) ? 2 : 0;
  const style = {
    names: adorned(
      random,
      master,
      {
        ...UNADORNED,
        parts: random.pick(['listed', 'listed', 'withoutPack', 'short'] as const),
        unit: random.pick(['words', 'latin'] as const),
      },
      0.25,
    ),
    unknownShare: random.chance(0.2) ? 0.1 : 0,
    codes: true,
    fractions: decimals === 4 || random.chance(0.3),
  };
  const drugs = prescribedLines(
    random,
    master,
    split,
    random.int(1, 9),
    style,
    (drug) => random.chance(0.85) || !isInjected(drug),
  );
  const issue = `20${random.int(20, 26)}${random.int(10, 12)}${random.int(10, 28)}${String(random.int(1, 99_999)).padStart(5, '0')}`;
  const lines: OrderLine[] = drugs.map((drug) => ({ drug }));
  if (order) mixIn(random, lines);
  const texts = (drug: PrescribedLine) => {
    const { unitPrice, totalAmount } = amountsOf(drug);
    return {
      drugCode: drug.code ?? '',
      drugName: drug.name,
      quantity: writeDose(drug.quantity, decimals),
      timesPerDay: writeDose(drug.timesPerDay, timesDecimals),
      days: String(drug.days),
      unitPrice: unitPrice.toLocaleString('en-US'),
      totalAmount: totalAmount.toLocaleString('en-US'),
      issue,
      own: `${random.pick(['a', 'au', 'ty', 'me', 'ro', 'ce'])}${random.pick(['g', 'l', 'k', ''])}${drug.drug.strength.slice(0, 4)}`,
      note: '',
      usage: random.pick(['P1', 'T3', '식후30분', 'B2', '']),
      category: random.pick(['3', '원외', '1']),
      unit: drug.unit,
      spec: String(drug.days),
      maker: drug.drug.maker,
    };
  };
  let serial = 0;
  const selected = random.chance(0.25) ? random.int(0, lines.length - 1) : -1;
  const rows = lines.map((line, i): GridRow => {
    serial++;
    const cells: Partial<Record<DrugColumn['kind'], string>> =
      'drug' in line
        ? texts(line.drug)
        : {
            drugCode: line.code,
            drugName: line.text,
            quantity: line.fee ? writeDose(1, decimals) : '',
            timesPerDay: line.fee ? '1' : '',
            days: line.fee ? '1' : '',
          };
    return {
      texts: columns.map(({ kind }) => (kind === 'serial' ? String(serial) : (cells[kind] ?? ''))),
      ...('drug' in line ? {} : { color: line.color }),
      ...(i === selected ? { fill: '#cfe4ff' } : {}),
    };
  });
  return { columns, lines, rows };
}

/** Diagnoses, fees and remarks among the drugs, as order slips have them. */
function mixIn(random: Random, lines: OrderLine[]): void {
  const others: OrderLine[] = [
    {
      code: random.pick(['J20.9', 'M79.198', 'K29.7', 'E11.9']),
      text: random.pick(['상세불명의 급성 기관지염', '기타 근통, 상세불명 부분', '상세불명의 위염']),
      color: '#1a4fa0',
      fee: false,
    },
    {
      code: random.pick(['AA154', 'AA254', 'AA156']),
      text: random.pick(['초진진찰료-의원', '재진진찰료-의원,보건의료원 내 의과']),
      color: '#c8202f',
      fee: true,
    },
    {
      code: random.pick(['MM010', 'KK010', 'E7070', 'D0002020']),
      text: random.pick(['표층열치료', '피하 또는 근육내주사', '흉부 직접촬영', '일반혈액검사']),
      color: '#c8202f',
      fee: true,
    },
    {
      code: '',
      text: random.pick(['* 3일 후 재내원', '금주 요망', '혈압 130/80', '약 복용 설명함']),
      color: '#2d7a3a',
      fee: false,
    },
  ];
  for (const other of random.shuffled(others).slice(0, random.int(1, 4))) {
    if (random.chance(0.6)) lines.unshift(other);
    else lines.splice(random.int(0, lines.length), 0, other);
  }
}
