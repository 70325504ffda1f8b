/** `npm run build:embed`: writes the script of embed/ to functions/chat/embed/script.json, from where it is served as /embed.js. */
import { writeFile } from 'node:fs/promises';
import { buildEmbed } from '../lib/packaging/build-embed.ts';

const script = await buildEmbed();
await writeFile(
  new URL('../functions/chat/embed/script.json', import.meta.url),
  `${JSON.stringify({ script }, null, 2)}\n`,
);
console.log(`${script.length} characters written to functions/chat/embed/script.json`);
