/** `npm run roles`: writes docs/roles.md from the route table. */
import { writeFile } from 'node:fs/promises';
import { routes } from '../functions/routes.ts';
import { rolesDocument } from './roles-document.ts';

const file = new URL('../docs/roles.md', import.meta.url);
await writeFile(file, rolesDocument(routes));
console.log(`${routes.length} routes written to docs/roles.md`);
