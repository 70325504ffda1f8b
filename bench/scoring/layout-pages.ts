import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { DrugMaster } from '../../functions/extraction/domain/master/drug-master.ts';
import type { PageReading, TableReader } from '../../functions/extraction/domain/reading/table-reader.ts';
import type { Template } from '../../functions/extraction/domain/reading/template.ts';
import { chosenMaster } from '../chosen-master.ts';
import type { ItemValues } from '../corpus/truth.ts';
import { printedDrugs } from '../look-alikes.ts';
import { corpusPages, masterFile } from '../pages.ts';
import { generatedPages } from './generated-pages.ts';
import { type RealRow, realPages, valuesOf } from './real-truth.ts';
import { NUMERIC_FIELDS } from './values.ts';

/** A page of any set, with the rows that it prints. */
export interface LayoutPage {
  readonly file: string;
  /** Pages of one layout are counted together. */
  readonly layout: string;
  readonly read: (reader: TableReader, template: Template) => Promise<PageReading>;
  /** null: not printed, or unreadable and not scored. */
  readonly rows: readonly ItemValues[];
}

export interface LayoutSet {
  readonly pages: readonly LayoutPage[];
  readonly master: DrugMaster;
}

const VALUE = z.union([z.string(), z.number()]).nullable().optional();
const NUMBERS = Object.fromEntries(NUMERIC_FIELDS.map((field) => [field, VALUE]));
const SMALL = z.object({
  pages: z.array(
    z.object({
      file: z.string(),
      about: z.string(),
      rows: z.array(z.object({ drugCode: z.string().nullable(), drugName: z.string().nullable(), ...NUMBERS })),
    }),
  ),
});

/**
 * The pages of a folder: of `npm run corpus`, of `npm run bench real`, pictures with a truth.json that lists `pages` with their rows, or
 * generated ones of `training/tables/write_pages.py`, which were never pictures.
 * @throws Error that names the missing file or member.
 */
export async function layoutSet(folder: string): Promise<LayoutSet> {
  if (existsSync(join(folder, GENERATED))) return generatedSet(join(folder, GENERATED));
  const file = join(folder, 'truth.json');
  if (!existsSync(file)) return corpusSet(folder);
  const small = SMALL.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  const listed = small.success
    ? small.data.pages.map(({ file: name, about, rows }) => ({ file: name, layout: about, rows: rows as RealRow[] }))
    : realPages(folder).map((page) => ({ file: page.file, layout: page.file, rows: page.expected.rows ?? [] }));
  return {
    pages: listed.map((page) => ({
      ...page,
      read: (reader, template) => reader.read(readFileSync(join(folder, page.file)), template),
      rows: page.rows.map(valuesOf),
    })),
    master: printedDrugs(listed.flatMap(({ rows }) => rows)),
  };
}

const GENERATED = 'pages.json';

async function generatedSet(file: string): Promise<LayoutSet> {
  const pages = generatedPages(file).map(({ reading, ...page }) => ({ ...page, read: async () => reading }));
  return { pages, master: await chosenMaster('shipped') };
}

async function corpusSet(folder: string): Promise<LayoutSet> {
  const pages = corpusPages(folder).map(({ truth, bytes }) => ({
    file: truth.image.file,
    layout: truth.class,
    read: (reader: TableReader, template: Template) => reader.read(bytes(), template),
    rows: (truth.table?.rows ?? []).filter(({ cut }) => !cut).map(({ item }) => item),
  }));
  return { pages, master: await chosenMaster(masterFile(folder)) };
}
