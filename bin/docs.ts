/** `npm run docs [-- name]`: writes the generated pages of docs/, or the one that is named. */
import { writeFile } from 'node:fs/promises';
import { generatedPages } from './documents/pages.ts';

const [only] = process.argv.slice(2);
if (only !== undefined && !(only in generatedPages)) {
  console.error(`There is no generated page ${only}. There are: ${Object.keys(generatedPages).join(', ')}.`);
  process.exit(1);
}
for (const [name, page] of Object.entries(generatedPages)) {
  if (only !== undefined && only !== name) continue;
  await writeFile(new URL(`../docs/${name}.md`, import.meta.url), page());
  console.log(`docs/${name}.md`);
}
