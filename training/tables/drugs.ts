/**
 * Writes what the generator of pages needs: `node training/tables/drugs.ts build/tables`. `drugs.tsv` holds code, printed names and price of
 * the drugs of the shipped list that the benchmark's tuned split may print; `headers.tsv` the kind and the word of known headers.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { priceToday } from '../../bench/corpus/master.ts';
import { Random } from '../../bench/corpus/random.ts';
import { realMaster } from '../../bench/corpus/real-drugs.ts';
import { adorned, nameStyle, printedName } from '../../bench/corpus/sheet/printed-name.ts';
import { listedDrugs } from '../../bench/listed-drugs.ts';
import { VOCABULARY } from '../../functions/extraction/domain/interpret/headers/header-vocabulary.ts';

const [folder = 'build/tables'] = process.argv.slice(2);
/** Prints of one name. */
const PRINTS = 2;
/** Share of them that say how a drug is given or counted. */
const ADDITIONS = 0.2;

const master = realMaster(await listedDrugs());
const random = new Random('drugs of the layout training');
const drugs = master.drugs.tuned.map((drug) => {
  const names = Array.from({ length: PRINTS }, () =>
    printedName(random, drug, adorned(random, master, nameStyle(random), ADDITIONS)),
  );
  return [drug.code, priceToday(drug) ?? '', drug.maker, Number(drug.listed), ...names].join('\t');
});
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'drugs.tsv'), `${drugs.join('\n')}\n`);
const headers = VOCABULARY.map(({ kind, word }) => `${kind}\t${word}`);
writeFileSync(join(folder, 'headers.tsv'), `${headers.join('\n')}\n`);
console.log(`${drugs.length} drugs, ${headers.length} header words`);
