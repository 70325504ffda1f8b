import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = join(ROOT, 'console');
const CACHE = join(ROOT, 'node_modules/.cache/console');
const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_BUILDS = 3;
/** Libraries that the first page needs anyway. */
const SHARED_LIBRARIES =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|store|react-store|react-query|query-core)|i18next|openapi-fetch|use-sync-external-store|tiny-invariant|tiny-warning|seroval|cookie-es)\//;
/** On a slow line something is seen once the style is there: the scripts, which are thirty times as large, do not delay it. */
const STYLE_FIRST = {
  name: 'style-first',
  transformIndexHtml: {
    order: 'post' as const,
    handler: (html: string) => html.replaceAll(/<(script|link) (?=[^>]*module)/g, '<$1 fetchpriority="low" '),
  },
};
const COMPRESSED = /\.(js|css|svg|html)$/;

/** Folder of the console as it is built from the present sources; it may not be there yet. */
export function consoleFolder(): string {
  const hash = createHash('sha256');
  // The guides are part of it.
  const files = globSync(['console/**/*.*', 'docs/**/*.md', 'package-lock.json', 'lib/packaging/build-console.ts'], {
    cwd: ROOT,
  });
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  return join(CACHE, hash.digest('hex').slice(0, 16));
}

export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'));
}

/** Builds the console unless that is done. @returns its folder. */
export async function buildConsole(): Promise<string> {
  const folder = consoleFolder();
  if (isBuilt(folder)) return folder;
  const [{ build }, { default: tailwind }] = await Promise.all([import('vite'), import('@tailwindcss/vite')]);
  // Several processes may build at once: an unfinished build has another name.
  const outDir = `${folder}.${randomUUID()}`;
  // Vite takes it from the environment, where a test runner has another one: React and what JSX becomes follow it.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  await build({
    root: SOURCE,
    configFile: false,
    // Libraries for servers as well warn of their directives.
    logLevel: 'error',
    plugins: [tailwind(), STYLE_FIRST],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // Fonts and pictures as data: URLs would need a wider Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      manifest: true,
      // In one piece, what each page needs takes one request instead of twenty.
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: 'libraries', test: SHARED_LIBRARIES }] } },
      },
    },
  }).finally(() => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  });
  await compress(outDir);
  await rename(outDir, folder).catch(async (error: unknown) => {
    await rm(outDir, { recursive: true, force: true });
    if (!isBuilt(folder)) throw error;
  });
  await removeOldBuilds(CACHE, folder, Date.now());
  return folder;
}

/** Writes a compressed copy next to each file, for the local service: CloudFront compresses by itself. */
async function compress(folder: string): Promise<void> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => COMPRESSED.test(name));
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  for (const name of names) {
    const path = join(folder, name);
    await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path), options));
  }
}

/**
 * Removes builds of former sources. The newest few stay, as do those of the last day: a service that runs may still serve one, and another
 * process may still be writing one. @param kept its folder is never removed
 */
export async function removeOldBuilds(cache: string, kept: string, nowMs: number): Promise<void> {
  const folders = (await readdir(cache)).map((name) => join(cache, name)).filter((each) => each !== kept);
  const dated = await Promise.all(folders.map(async (each) => ({ each, madeMs: (await stat(each)).mtimeMs })));
  const old = dated.toSorted((a, b) => b.madeMs - a.madeMs).slice(KEPT_BUILDS - 1);
  for (const { each, madeMs } of old) if (nowMs - madeMs > DAY_MS) await rm(each, { recursive: true, force: true });
}
