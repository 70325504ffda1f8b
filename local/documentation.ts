import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '../gateway/gateway.ts';

const OPENAPI_PATH = '/api/v1/openapi.json';

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Tripod API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;
const START = `SwaggerUIBundle({ url: '${OPENAPI_PATH}', dom_id: '#docs', deepLinking: true, validatorUrl: null });\n`;

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // The page takes nothing from elsewhere.
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
};

/** The interactive documentation, from its package. @returns null for a path that is none of its. */
export async function documentationPage(path: string): Promise<Page | null> {
  switch (path) {
    case '/docs':
    case '/docs/':
      return { headers: { ...HEADERS, 'content-type': 'text/html; charset=utf-8' }, body: HTML };
    case '/docs/start.js':
      return { headers: { ...HEADERS, 'content-type': 'text/javascript; charset=utf-8' }, body: START };
    case '/docs/swagger-ui.css':
      return packaged('swagger-ui.css', 'text/css; charset=utf-8');
    case '/docs/swagger-ui-bundle.js':
      return packaged('swagger-ui-bundle.js', 'text/javascript; charset=utf-8');
    default:
      return null;
  }
}

async function packaged(file: string, type: string): Promise<Page> {
  const body = await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`)));
  return { headers: { ...HEADERS, 'content-type': type }, body };
}
