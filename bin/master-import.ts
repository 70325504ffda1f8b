/** Brings a published drug price list into the drug master: see USAGE. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readSheetFile } from '../functions/adapters/codecs/sheet-rows.ts';
import { MASTER_FILE, readMasterFile, writeMasterFile } from '../functions/adapters/drug-master/file-drug-master.ts';
import { readMasterObject, s3Location, writeMasterObject } from '../functions/adapters/drug-master/s3-drug-master.ts';
import { readShippedMaster } from '../functions/adapters/drug-master/shipped-master.ts';
import { koreanDate } from '../functions/extraction/domain/korean-date.ts';
import { applyList, type ListChanges } from '../functions/extraction/domain/master/apply-list.ts';
import { dateInTitle, parseDate } from '../functions/extraction/domain/master/list-date.ts';
import { type PublishedList, readListRows } from '../functions/extraction/domain/master/list-rows.ts';
import type { MasterData } from '../functions/extraction/domain/master/master-file.ts';
import { withShipped } from '../functions/extraction/domain/master/merge-masters.ts';
import { runCommand, UsageError } from './command-line.ts';
import { stackOutput } from './deployment.ts';

const USAGE = `Usage: npm run master:import -- <file.xlsx|file.csv> [--date 2026-11-01] [--stage prod | --data-dir .local | --bucket s3://bucket/key] [--force]

  --date      the day from which a monthly list's prices are in force; a day that the file's name, title or sheet says must be the same
  --data-dir  data directory of the local service (default: TRIPOD_DATA_DIR, else .local); it may be running
  --stage     enter the list into the master of a deployed service instead; its bucket is found by the outputs of its stack, with
              the AWS credentials and the region of the command line (AWS_PROFILE, AWS_REGION)
  --bucket    the same by the address of the master
  --partial   the file is a part of a monthly list: drugs that it lacks stay as they are
  --force     take a list that lacks most of the drugs now in force, or whose title says another day

It takes the monthly list (약제급여목록및급여상한금액표), the list of prices with their dates (적용약가파일), the portal's master
(약가마스터) and ATC list, which add codes and names, and a table with the columns code,name,maker,unit,price,from.
Nothing that is known is lost: a list adds to the history, starting with the list that the product ships.`;

interface Store {
  readonly name: string;
  readonly known: MasterData | null;
  write(data: MasterData): Promise<void>;
}

const MAX_ROWS_NAMED = 10;

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const { file, options } = readArguments();
  const { rows, sheetNames } = await readSheetFile(await readList(file));
  const list = readListRows(rows);
  const date = list.form === 'monthly' ? dateOf(list, [basename(file), sheetNames], options) : undefined;
  const store = await openStore(await bucketOf(options), options['data-dir']);
  const known = withShipped(store.known, await readShippedMaster());
  const { data, changes, ended } = applyList(known, list, {
    ...(date !== undefined && { date }),
    today: koreanDate(Date.now()),
    force: options.force ?? false,
    partial: options.partial ?? false,
  });
  await store.write(data);
  console.log(summary(list, changes, date));
  for (const { code, name } of ended.slice(0, MAX_ROWS_NAMED)) console.log(`    ended ${code} ${name}`);
  if (ended.length > MAX_ROWS_NAMED) console.log(`    and ${ended.length - MAX_ROWS_NAMED} more`);
  console.log(
    `${store.name} now holds ${data.drugs.length} drugs; ${data.info.dates.length} monthly list(s) are in it.`,
  );
}

function summary({ form, rows, skipped }: PublishedList, changes: ListChanges, date: string | undefined): string {
  const forms = {
    monthly: `The list of ${date}`,
    history: 'The list of prices with their dates',
    names: 'The list of names',
  };
  const unpriced = rows.filter(({ price }) => price?.listed && price.krw === null).length;
  return [
    `${forms[form]}: ${rows.length} rows of drugs${unpriced > 0 ? `, ${unpriced} without a price (산정불가)` : ''}.`,
    `  added ${changes.added}, changed ${changes.changed}, ended ${changes.ended}, unchanged ${changes.unchanged}`,
    `  skipped: ${skipped.headings} headings, ${skipped.repeated} repeated rows, ${skipped.withoutCode} rows without a code, ${skipped.wrong.length} with a wrong one`,
    ...skipped.wrong.slice(0, MAX_ROWS_NAMED).map((row) => `    ${row}`),
  ].join('\n');
}

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        date: { type: 'string' },
        'data-dir': { type: 'string' },
        bucket: { type: 'string' },
        stage: { type: 'string' },
        force: { type: 'boolean' },
        partial: { type: 'boolean' },
      },
    });
    const [file] = positionals;
    if (!file || positionals.length > 1) throw new UsageError('Name one file to import.');
    return { file, options: values };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

async function readList(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`);
    if (code === 'EISDIR') throw new Error(`${file} is a directory; name the list's file.`);
    throw new Error(`${file} cannot be read: ${message}`);
  }
}

/** The day that is given, and that the file says: they must agree. */
function dateOf(
  list: PublishedList,
  titles: readonly string[],
  { date, force }: { readonly date?: string; readonly force?: boolean },
): string {
  const said = list.titleDate ?? titles.map(dateInTitle).find((day) => day !== null) ?? null;
  if (date === undefined && said === null)
    throw new UsageError('--date is missing: from which day are the prices of this list in force?');
  if (date === undefined) return said!;
  if (!/^\d{4}-/.test(date) || parseDate(date) === null)
    throw new UsageError(`--date is ${JSON.stringify(date)}; it must be a day like 2026-11-01.`);
  if (said !== null && said !== date && !force)
    throw new Error(
      `--date is ${date}, but the file says ${said}. Nothing was changed; give the right date, or --force if the file is wrong.`,
    );
  return date;
}

async function bucketOf({ stage, bucket }: { readonly stage?: string; readonly bucket?: string }) {
  if (stage === undefined) return bucket;
  if (bucket !== undefined) throw new UsageError('Name the stage or the bucket, not both.');
  return `s3://${await stackOutput(stage, 'MasterBucket')}`;
}

async function openStore(bucket: string | undefined, dataDirectory: string | undefined): Promise<Store> {
  if (bucket !== undefined) {
    const location = s3Location(bucket);
    const { data, etag } = await readMasterObject(location);
    return {
      name: `s3://${location.bucket}/${location.key}`,
      known: data,
      write: (changed) => writeMasterObject(location, changed, etag),
    };
  }
  const path = join(dataDirectory ?? process.env.TRIPOD_DATA_DIR ?? '.local', MASTER_FILE);
  return { name: path, known: await readMasterFile(path), write: (changed) => writeMasterFile(path, changed) };
}
