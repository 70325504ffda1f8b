import type { DrugMaster, MasterDrug, MasterInfo, Suggestion } from './drug-master.ts';
import type { MasterFile } from './master-file.ts';
import { NameIndex } from './name-index.ts';
import { foldName } from './name-parts.ts';
import { matchesOf } from './search-text.ts';

/** Below this a nearest name is more often another drug than a misread one. */
const MIN_SUGGESTION_SCORE = 0.75;

/** A master file held in memory. Drugs are decoded when asked for; indexes are built at their first use. */
export class InMemoryDrugMaster implements DrugMaster {
  readonly info: MasterInfo;
  readonly size: number;
  readonly #file: MasterFile;
  #linesOfOldCode: ReadonlyMap<string, readonly number[]> | null = null;
  #nameIndex: NameIndex | null = null;
  #foldedNames: readonly string[] | null = null;

  constructor(file: MasterFile) {
    this.info = file.info;
    this.size = file.lines.length;
    this.#file = file;
  }

  find(code: string): MasterDrug | null {
    const { lines } = this.#file;
    let [low, high] = [0, lines.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (codeOf(lines[middle]!) < code) low = middle + 1;
      else high = middle;
    }
    return low < lines.length && codeOf(lines[low]!) === code ? this.#drugAt(low) : null;
  }

  findByOldCode(code: string): readonly MasterDrug[] {
    this.#linesOfOldCode ??= indexOldCodes(this.#file);
    return (this.#linesOfOldCode.get(code) ?? []).map((index) => this.#drugAt(index));
  }

  suggest(name: string, limit: number): readonly Suggestion[] {
    const { lines } = this.#file;
    this.#nameIndex ??= new NameIndex(lines.map(nameOf));
    return this.#nameIndex.nearest(name, limit, MIN_SUGGESTION_SCORE).map(({ index, score }) => {
      const line = lines[index]!;
      return { code: codeOf(line), name: nameOf(line), score };
    });
  }

  search(text: string, limit: number): readonly MasterDrug[] {
    const { lines } = this.#file;
    this.#foldedNames ??= lines.map((line) => foldName(nameOf(line)));
    return matchesOf(text, this.#foldedNames, (index) => codeOf(lines[index]!))
      .slice(0, limit)
      .map((index) => this.#drugAt(index));
  }

  #drugAt(index: number): MasterDrug {
    return this.#file.decode(this.#file.lines[index]!);
  }
}

function indexOldCodes({ lines, decode }: MasterFile): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  for (const [at, line] of lines.entries())
    for (const oldCode of decode(line).oldCodes) {
      const present = index.get(oldCode);
      if (present) present.push(at);
      else index.set(oldCode, [at]);
    }
  return index;
}

function codeOf(line: string): string {
  return line.slice(0, line.indexOf('\t'));
}

function nameOf(line: string): string {
  const start = line.indexOf('\t') + 1;
  return line.slice(start, line.indexOf('\t', start));
}
