/** Makes the drug list that comes with the product: see USAGE. */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { sheetRows } from '../functions/adapters/codecs/sheet-rows.ts';
import { packMaster } from '../functions/adapters/drug-master/master-bytes.ts';
import { SHIPPED_MASTER } from '../functions/adapters/drug-master/shipped-master.ts';
import { masterOfList } from '../functions/extraction/domain/master/apply-list.ts';
import { readListRows } from '../functions/extraction/domain/master/list-rows.ts';
import { runCommand, UsageError } from './command-line.ts';

const USAGE = `Usage: node bin/ship-master.ts <history.csv|history.csv.gz> --date 2026-06-01

Writes layers/drug-master/drug-master.tsv.gz from a list that gives every price its date, the same file at every run.
  --date  the day of the snapshot`;

const SOURCE = '건강보험심사평가원, 약제급여목록';
/** The licence requires it next to any display of the data. */
const ATTRIBUTION = '건강보험심사평가원, 약제급여목록 (공공누리 제1유형)';

await runCommand(USAGE, async () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { date: { type: 'string' } } });
  const [file] = positionals;
  if (!file || !values.date) throw new UsageError('Name the file and its date.');
  const bytes = await readFile(file);
  const list = readListRows(await sheetRows(file.endsWith('.gz') ? gunzipSync(bytes) : bytes));
  if (list.form !== 'history') throw new UsageError(`${file} does not give every price its date.`);
  const { drugs } = masterOfList(list, { today: values.date });
  const info = { version: values.date, dates: [], source: `${SOURCE} ${values.date}`, attribution: ATTRIBUTION };
  const packed = await packMaster({ info, drugs });
  await writeFile(SHIPPED_MASTER, packed);
  console.log(`${drugs.length} drugs, ${list.rows.length} prices, ${packed.length} bytes`);
});
