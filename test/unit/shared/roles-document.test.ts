import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { rolesDocument } from '../../../bin/roles-document.ts';
import { routes } from '../../../functions/routes.ts';

it('docs/roles.md says what the route table says: npm run roles writes it', async () => {
  const document = await readFile(new URL('../../../docs/roles.md', import.meta.url), 'utf8');
  expect(document).toBe(rolesDocument(routes));
});
