import { describe, expect, it } from 'vitest';
import { CONSOLE_PAGES } from '../../../console/src/app/paths.ts';
import { NEEDED_ROLES } from '../../../console/src/app/permissions.ts';
import { routes } from '../../../functions/routes.ts';
import { buildConsole } from '../../../lib/packaging/build-console.ts';
import { loadSizes } from '../../../lib/packaging/console-sizes.ts';
import { useService } from '../../helpers/service.ts';

const service = useService();

const get = (path: string, method = 'GET') => fetch(`${service.baseUrl}${path}`, { method });

describe('the console', () => {
  it('is one document at all of its paths, with a policy that lets no inline script or style in', async () => {
    const home = await get('/');
    expect(home.headers.get('content-type')).toContain('text/html');
    const policy = home.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(home.headers.get('cache-control')).toBe('no-cache');
    const html = await home.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=/);
    for (const path of ['/review/ext_1', '/account', '/login?to=%2Faccount'])
      expect(await (await get(path)).text(), path).toBe(html);
    expect((await get('/', 'HEAD')).status).toBe(200);
    expect((await get('/', 'POST')).status).toBe(404);
  });

  it('serves its scripts for good under names that change with them', async () => {
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text()) ?? [];
    const response = await get(script);
    expect(response.headers.get('content-type')).toContain('text/javascript');
    expect(response.headers.get('cache-control')).toContain('immutable');
    for (const path of ['/assets/nothing.js', '/assets/..%2findex.html', '/assets/.vite/manifest.json'])
      expect((await get(path)).status, path).toBe(404);
  });

  it('compresses its files for browsers that can read it', async () => {
    const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text()) ?? [];
    const lengthOf = async (encoding: string) => {
      const response = await fetch(`${service.baseUrl}${script}`, { headers: { 'accept-encoding': encoding } });
      expect(response.headers.get('vary')).toBe('accept-encoding');
      expect(response.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : 'br');
      return Number(response.headers.get('content-length'));
    };
    expect(await lengthOf('gzip, deflate, br')).toBeLessThan((await lengthOf('identity')) / 2);
  });

  it('takes no path of the API and none that is unknown', async () => {
    for (const path of ['/api/v1/nowhere', '/v1/models', '/health', '/docs', '/nowhere', '/readme'])
      expect((await get(path)).headers.get('content-type'), path).toContain('application/json');
    expect((await get('/embed.js')).headers.get('content-type')).toContain('javascript');
    const own: readonly string[] = [...CONSOLE_PAGES, 'assets'];
    expect(routes.filter(({ path }) => own.includes(path.split('/')[1]!))).toEqual([]);
  });

  it('loads at most 200 KB for its first page and 150 KB for another', async () => {
    for (const { name, bytes, maxBytes } of loadSizes(await buildConsole()))
      expect(bytes, name).toBeLessThanOrEqual(maxBytes);
  });

  it.each(Object.entries(NEEDED_ROLES))('shows a button for %s to the roles that may call it', (call, role) => {
    const route = routes.find(({ method, path }) => `${method} ${path}` === call);
    expect(route, call).toBeDefined();
    expect(route!.role).toBe(role);
  });
});
