/**
 * The passages of Markdown files as the product divides them, a JSON object a line.
 *
 *     node training/meaning/passages.ts <folder> > passages.jsonl
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { passagesOf } from '../../functions/knowledge/domain/passages.ts';
import { markdownBlocks } from '../../functions/knowledge/domain/text-blocks.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder of the Markdown files.');
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!/\.mdx?$/.test(name)) continue;
  const markdown = readFileSync(join(folder, name), 'utf8');
  const title = /^title:\s*['"]?(.*?)['"]?\s*$/m.exec(markdown)?.[1] ?? /^# (.*)$/m.exec(markdown)?.[1] ?? name;
  for (const { heading, text } of passagesOf(markdownBlocks(markdown)))
    console.log(JSON.stringify({ text: [title, ...heading, text].join('\n').replace(/\s+/g, ' ') }));
}
