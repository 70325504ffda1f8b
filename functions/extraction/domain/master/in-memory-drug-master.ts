import type { DrugMaster, MasterDrug, Suggestion } from './drug-master.ts';
import { decodeDrug, type MasterFile } from './master-file.ts';
import { NameIndex } from './name-index.ts';

/** Below this a nearest name is more often another drug than a misread one. */
const MIN_SUGGESTION_SCORE = 0.75;

/** A master file held in memory. Drugs are decoded when asked for; the name index is built at the first suggestion. */
export class InMemoryDrugMaster implements DrugMaster {
  readonly version: string;
  readonly #lines: readonly string[];
  readonly #lineOfCode = new Map<string, number>();
  #nameIndex: NameIndex | null = null;

  constructor(file: MasterFile) {
    this.#lines = file.lines;
    file.lines.forEach((line, index) => {
      this.#lineOfCode.set(line.slice(0, line.indexOf('\t')), index);
    });
    this.version = file.listDates.at(-1) ?? newestPriceDate(file.lines);
  }

  get size(): number {
    return this.#lines.length;
  }

  find(code: string): MasterDrug | null {
    const index = this.#lineOfCode.get(code);
    return index === undefined ? null : decodeDrug(this.#lines[index]!);
  }

  suggest(name: string, limit: number): readonly Suggestion[] {
    this.#nameIndex ??= new NameIndex(this.#lines.map(nameOf));
    return this.#nameIndex.nearest(name, limit, MIN_SUGGESTION_SCORE).map(({ index, score }) => {
      const line = this.#lines[index]!;
      return { code: line.slice(0, line.indexOf('\t')), name: nameOf(line), score };
    });
  }
}

function nameOf(line: string): string {
  const start = line.indexOf('\t') + 1;
  return line.slice(start, line.indexOf('\t', start));
}

function newestPriceDate(lines: readonly string[]): string {
  let newest = '';
  for (const line of lines) {
    const from = decodeDrug(line).prices.at(-1)?.from ?? '';
    if (from > newest) newest = from;
  }
  return newest;
}
