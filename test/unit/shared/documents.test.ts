import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);
/** What documents call by its path, and the targets of their links within the repository. */
const PATHS =
  /`((?:bench|bin|docs|functions|gateway|intake|lib|local|sandbox|show|test)\/[\w./-]+)`|\]\((?!https?:|#|mailto:)([^)#\s]{1,200})/g;

it('documents name files that exist', async () => {
  const missing: string[] = [];
  for await (const file of glob('{README.md,docs/*.md,bench/**/*.md,layers/**/*.md}', { cwd: fileURLToPath(ROOT) })) {
    const at = new URL(file, ROOT);
    for (const [, path, link] of (await readFile(at, 'utf8')).matchAll(PATHS)) {
      const named = path === undefined ? new URL(link!, at) : new URL(path, ROOT);
      if (!existsSync(named)) missing.push(`${file}: ${path ?? link}`);
    }
  }
  expect(missing).toEqual([]);
});
