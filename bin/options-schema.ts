/** `npm run options:schema`: writes deploy/options.schema.json, which editors check the options files of stages with. */
import { writeFile } from 'node:fs/promises';
import { optionsJsonSchema } from '../lib/options.ts';

const path = new URL('../deploy/options.schema.json', import.meta.url);
await writeFile(path, `${JSON.stringify(optionsJsonSchema(), null, 2)}\n`);
