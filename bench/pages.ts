import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageTruth } from './corpus/truth.ts';

export interface CorpusPage {
  readonly truth: PageTruth;
  readonly bytes: () => Uint8Array;
}

/**
 * The pages of a folder with their truth, by name.
 * @throws Error with how to render them.
 */
export function corpusPages(folder: string): readonly CorpusPage[] {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  if (files.length === 0) throw new Error(`${folder} holds no pages. Render them with: npm run corpus`);
  return files.sort().map((file) => {
    const truth = JSON.parse(readFileSync(join(folder, file), 'utf8')) as PageTruth;
    return { truth, bytes: () => readFileSync(join(folder, truth.image.file)) };
  });
}

/** The drug master of the pages is in their folder or one folder up. */
export function masterFile(folder: string): string {
  const file = [join(folder, 'master.csv'), join(folder, '..', 'master.csv')].find(existsSync);
  if (!file) throw new Error(`There is no master.csv in ${folder} or above it. Render the corpus with: npm run corpus`);
  return file;
}
