/** Brings a published drug price list into the drug master: see USAGE. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sheetRows } from '../functions/adapters/codecs/sheet-rows.ts';
import { MASTER_FILE, readMasterFile, writeMasterFile } from '../functions/adapters/drug-master/file-drug-master.ts';
import { readMasterObject, s3Location, writeMasterObject } from '../functions/adapters/drug-master/s3-drug-master.ts';
import { applyList } from '../functions/extraction/domain/master/apply-list.ts';
import { isHistory, masterOfHistory } from '../functions/extraction/domain/master/history-csv.ts';
import type { MasterData } from '../functions/extraction/domain/master/master-file.ts';
import { readPriceList } from '../functions/extraction/domain/master/price-list.ts';
import { runCommand, UsageError } from './command-line.ts';
import { stackOutput } from './deployment.ts';

const USAGE = `Usage: npm run master:import -- <file.xlsx|file.csv> --date 2026-11-01 [--stage prod | --data-dir .local | --bucket s3://bucket/key] [--force]

  --date      the day from which the list's prices are in force; the list itself does not say it
  --data-dir  data directory of the local service (default: TRIPOD_DATA_DIR, else .local); it may be running
  --stage     enter the list into the master of a deployed service instead; its bucket is found by the outputs of its stack, with
              the AWS credentials and the region of the command line (AWS_PROFILE, AWS_REGION)
  --bucket    the same by the address of the master
  --force     take a list that lacks most of the drugs now in force

A CSV with the columns code,name,maker,unit,price,from carries its own history: it needs no --date and replaces the master.`;

interface Store {
  readonly name: string;
  readonly known: MasterData | null;
  write(data: MasterData): Promise<void>;
}

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const { file, options } = readArguments();
  const rows = await sheetRows(await readList(file));
  const store = await openStore(await bucketOf(options), options['data-dir']);
  if (isHistory(rows)) {
    const data = masterOfHistory(rows);
    if (data.drugs.length === 0) throw new Error(`${file} holds no drug.`);
    await store.write(data);
    console.log(`${store.name} now holds the ${data.drugs.length} drugs of ${file}, with their price history.`);
    return;
  }
  const list = readPriceList(rows, requireDate(options.date));
  const { data, changes } = applyList(store.known, list, { force: options.force ?? false });
  await store.write(data);
  console.log(`List of ${list.date}: ${list.drugs.size} drugs.`);
  console.log(
    `  added ${changes.added}, price changed ${changes.changed}, delisted ${changes.delisted}, unchanged ${changes.unchanged}`,
  );
  console.log(`${store.name} now holds ${data.drugs.length} drugs from ${data.info.dates.length} list(s).`);
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

function requireDate(date: string | undefined): string {
  if (date === undefined)
    throw new UsageError('--date is missing: from which day are the prices of this list in force?');
  const parsed = new Date(`${date}T00:00:00Z`);
  // The round trip refuses days that no month has.
  const exists = !Number.isNaN(parsed.getTime()) && parsed.toISOString().slice(0, 10) === date;
  if (!exists) throw new UsageError(`--date is ${JSON.stringify(date)}; it must be a day like 2026-11-01.`);
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
