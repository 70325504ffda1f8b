import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = join(ROOT, 'console');
const CACHE = join(ROOT, 'node_modules/.cache/console');

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
  // Several processes may build at once: what is half written has another name.
  const outDir = `${folder}.${randomUUID()}`;
  // Vite takes it from the environment, where a test runner has another one: React and what JSX becomes follow it.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  await build({
    root: SOURCE,
    configFile: false,
    // Libraries for servers as well warn of their directives.
    logLevel: 'error',
    plugins: [tailwind()],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // Fonts and pictures as data: URLs would need a wider Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      manifest: true,
    },
  }).finally(() => {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  });
  await rename(outDir, folder).catch(async (error: unknown) => {
    await rm(outDir, { recursive: true, force: true });
    if (!isBuilt(folder)) throw error;
  });
  return folder;
}
