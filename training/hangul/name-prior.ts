/**
 * Makes the recogniser's prior over letters from names as papers print them: `node training/hangul/name-prior.ts layers/ocr/drug-names.bin
 * build/names/tuned.txt build/names/untuned.txt`. To measure what it brings to unknown names, leave the second file out.
 *
 * Probabilities are interpolated by Witten and Bell: a letter that did not follow a context takes the share that this context gave to new ones.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { folded, PRIOR_ORDER, type PriorEntry, packPrior } from '../../functions/extraction/domain/reading/letter-prior.ts';

/** Longer n-grams that occur once are left out. */
const MAX_RARE = 3;

const [out, ...files] = process.argv.slice(2);
if (!out || files.length === 0) throw new Error('Name the file to write, and files of names, one a line.');
const names = new Set(files.flatMap((file) => readFileSync(file, 'utf8').split('\n')).filter(Boolean));
const entries = entriesOf(names);
const packed = packPrior(entries);
writeFileSync(out, packed);
console.log(`${out}: ${names.size} names, ${entries.length} n-grams, ${packed.length} bytes`);

function entriesOf(names: ReadonlySet<string>): readonly PriorEntry[] {
  const counts = new Map<string, number>();
  const continuations = new Map<string, number>();
  const totals = new Map<string, number>();
  for (const name of names) {
    const letters = Array.from(name, folded).join('');
    for (let end = 1; end <= letters.length; end++)
      for (let from = Math.max(0, end - PRIOR_ORDER); from < end; from++) {
        const ngram = letters.slice(from, end);
        const context = ngram.slice(0, -1);
        const count = (counts.get(ngram) ?? 0) + 1;
        counts.set(ngram, count);
        totals.set(context, (totals.get(context) ?? 0) + 1);
        if (count === 1) continuations.set(context, (continuations.get(context) ?? 0) + 1);
      }
  }
  const known = new Map<string, number>();
  const probabilityOf = (ngram: string): number => {
    if (ngram === '') return 1 / continuations.get('')!;
    const found = known.get(ngram);
    if (found !== undefined) return found;
    const context = ngram.slice(0, -1);
    const [total, kinds] = [totals.get(context)!, continuations.get(context)!];
    const shorter = ngram.length === 1 ? 1 / continuations.get('')! : probabilityOf(ngram.slice(1));
    const probability = ((counts.get(ngram) ?? 0) + kinds * shorter) / (total + kinds);
    known.set(ngram, probability);
    return probability;
  };
  return [...counts].flatMap(([ngram, count]) => {
    if (ngram.length > MAX_RARE && count === 1) return [];
    const [total, kinds] = [totals.get(ngram), continuations.get(ngram)];
    const backOff = total && kinds ? Math.log(kinds / (total + kinds)) : 0;
    return [{ ngram, log: Math.log(probabilityOf(ngram)), backOff }];
  });
}
