/** `npm run console:types`: writes the types of our API for console/, so that `tsc -p console` fails if the two disagree. */
import { writeFile } from 'node:fs/promises';
import { routes } from '../functions/routes.ts';
import { openApiDocument } from '../functions/system/openapi/openapi-document.ts';
import { openApiTypes } from '../lib/packaging/openapi-types.ts';

await writeFile(
  new URL('../console/src/api/openapi.d.ts', import.meta.url),
  openApiTypes(openApiDocument(routes, { version: '', serverUrl: '/' })),
);
