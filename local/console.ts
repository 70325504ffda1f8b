import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CONSOLE_PAGES } from '../console/src/app/paths.ts';
import { memoizeAsync } from '../functions/shared/memoize-async.ts';
import type { Page } from '../gateway/gateway.ts';
import { consoleSecurityHeaders } from '../lib/packaging/console-headers.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** Names of built files: they contain a hash of the content. */
const ASSET = /^\/assets\/[\w.-]+$/;
const BROTLI = /(^|,)\s*br\s*(,|$)/;

/**
 * The console's pages. Its own paths alone give the one document that all of them are: an unknown path stays a 404, and no path of the
 * API is taken. @param pictureOrigin where pages' pictures come from.
 */
export function consolePages(pictureOrigin: string): (path: string, acceptEncoding: string) => Promise<Page | null> {
  const headers = consoleSecurityHeaders([pictureOrigin]);
  return async (path, acceptEncoding) => {
    const isAsset = ASSET.test(path);
    if (!isAsset && !isConsolePage(path)) return null;
    const folder = await builtConsole().catch((error: unknown) => {
      console.error('The console cannot be built:', error);
      return null;
    });
    if (folder === null) return NOT_BUILT;
    const file = isAsset ? path.slice(1) : 'index.html';
    const contentAt = (name: string) => readFile(join(folder, name)).catch(() => null);
    const compressed = BROTLI.test(acceptEncoding) ? await contentAt(`${file}.br`) : null;
    const body = compressed ?? (await contentAt(file));
    if (body === null) return null;
    return {
      headers: {
        ...headers,
        ...(compressed && { 'content-encoding': 'br' }),
        vary: 'accept-encoding',
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
      body,
    };
  };
}

/** The folder of the built console. Built in a separate process: building takes seconds, and the service must keep responding. */
export const builtConsole = memoizeAsync(async () => {
  const script = fileURLToPath(new URL('../bin/build-console.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  return stdout.trim().split('\n').at(-1)!;
});

function isConsolePage(path: string): boolean {
  const [, first = ''] = path.split('/');
  return (CONSOLE_PAGES as readonly string[]).includes(first);
}

const NOT_BUILT: Page = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  body: 'The console could not be built: the log says why. It needs the development dependencies (npm ci). The API works without it.\n',
};
