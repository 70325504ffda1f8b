/** `npm run docs [-- name]`: writes the generated pages of docs/, or the one that is named. */
import { mkdir, writeFile } from 'node:fs/promises';
import { generatedPages } from './documents/pages.ts';

const [only] = process.argv.slice(2);
if (only !== undefined && !(only in generatedPages)) {
  console.error(`There is no generated page ${only}. There are: ${Object.keys(generatedPages).join(', ')}.`);
  process.exit(1);
}
for (const [name, page] of Object.entries(generatedPages)) {
  if (only !== undefined && only !== name) continue;
  const file = new URL(`../docs/${name}.md`, import.meta.url);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, page());
  console.log(`docs/${name}.md`);
}
