/**
 * Writes the names of the shipped drug list as papers print them, for training: `node training/hangul/listed-names.ts build/names`.
 * `tuned.txt` holds the brands of the benchmark's tuned split, which training may see, and `untuned.txt` the others.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../bench/corpus/random.ts';
import { realMaster } from '../../bench/corpus/real-drugs.ts';
import { adorned, nameStyle, printedName } from '../../bench/corpus/sheet/printed-name.ts';
import { SPLITS } from '../../bench/corpus/truth.ts';
import { listedDrugs } from '../../bench/listed-drugs.ts';

const [folder = 'build/names'] = process.argv.slice(2);
/** Prints of one name: whole, shortened, with its maker, with how it is given. */
const PRINTS = 4;
/** Share of them that say how a drug is given or counted. */
const ADDITIONS = 0.4;

const master = realMaster(await listedDrugs());
mkdirSync(folder, { recursive: true });
for (const split of SPLITS) {
  const random = new Random(`names of training ${split}`);
  const names = master.drugs[split]
    .filter(({ listed }) => listed)
    .flatMap((drug) =>
      Array.from({ length: PRINTS }, () =>
        printedName(random, drug, adorned(random, master, nameStyle(random), ADDITIONS)),
      ),
    );
  const file = join(folder, `${split}.txt`);
  writeFileSync(file, `${[...new Set(names)].join('\n')}\n`);
  console.log(`${file}: ${new Set(names).size} names`);
}
