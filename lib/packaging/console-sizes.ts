import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** Part of the console that is loaded at once, and its bytes in gzip. */
export interface LoadSize {
  readonly name: string;
  readonly bytes: number;
  readonly maxBytes: number;
}

export const MAX_FIRST_LOAD_BYTES = 200 * 1024;
export const MAX_ROUTE_BYTES = 150 * 1024;

/**
 * The files that the first page loads, and those that each further route adds.
 * @param folder of the built console.
 */
export function loadSizes(folder: string): readonly LoadSize[] {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const sizeOf = (files: Iterable<string>) =>
    [...new Set(files)].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
  const filesOf = (key: string, seen = new Set<string>()): string[] => {
    const chunk = manifest[key];
    if (chunk === undefined || seen.has(key)) return [];
    seen.add(key);
    return [chunk.file, ...(chunk.css ?? []), ...(chunk.imports ?? []).flatMap((each) => filesOf(each, seen))];
  };
  const entry = Object.keys(manifest).find((key) => manifest[key]!.isEntry)!;
  const first = new Set(filesOf(entry));
  const routes = Object.keys(manifest).filter((key) => manifest[key]!.isDynamicEntry);
  return [
    {
      name: 'first load',
      bytes: sizeOf([...first, 'index.html']),
      maxBytes: MAX_FIRST_LOAD_BYTES,
    },
    ...routes.map((key) => ({
      name: key,
      bytes: sizeOf(filesOf(key).filter((file) => !first.has(file))),
      maxBytes: MAX_ROUTE_BYTES,
    })),
  ];
}
