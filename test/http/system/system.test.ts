import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { MASTER_FILE } from '../../../functions/adapters/drug-master/file-drug-master.ts';
import { routes } from '../../../functions/routes.ts';
import { pathsOf } from '../../../functions/shared/http/route.ts';
import type { OpenApiDocument } from '../../../functions/system/openapi/openapi-types.ts';
import { runningVersion } from '../../../lib/packaging/running-version.ts';
import { useService } from '../../helpers/service.ts';

const service = useService();

const get = (path: string) => fetch(`${service.baseUrl}${path}`);

describe('GET /api/v1/health', () => {
  it('200 without a key, when all works', async () => {
    const response = await get('/api/v1/health');
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(await response.json()).toEqual({
      status: 'ok',
      version: runningVersion(),
      checks: { accounts: 'ok', drugMaster: 'ok', sandbox: 'ok' },
    });
  });

  it('503 while the drug master cannot be read, without saying where it is', async () => {
    const file = join(service.dataDir, MASTER_FILE);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'no drug master');
    try {
      const response = await untilStatus(503);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ status: 'failing', checks: { accounts: 'ok', drugMaster: 'failing' } });
      expect(text).not.toContain(service.dataDir);
    } finally {
      await rm(file);
    }
    expect((await untilStatus(200)).status).toBe(200);
  });
});

describe('GET /api/v1/openapi.json', () => {
  it('200 with a valid document of every route, without a key', async () => {
    const response = await get('/api/v1/openapi.json');
    expect(response.status).toBe(200);
    const document = (await response.json()) as OpenApiDocument;
    expect(document).toMatchObject({ info: { version: runningVersion() } });
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(
      routes.flatMap((route) => pathsOf(route).map((path) => `${route.method} ${path}`)).sort(),
    );
    const { valid, errors } = await new Validator().validate(document);
    expect({ valid, errors }).toMatchObject({ valid: true });
  });

  it('names a server address that leads back to where the document came from', async () => {
    const url = `${service.baseUrl}/api/v1/openapi.json`;
    const { servers } = (await (await fetch(url)).json()) as { servers: { url: string }[] };
    const server = new URL(servers[0]!.url, url).href.replace(/\/$/, '');
    expect(server).toBe(service.baseUrl);
  });
});

/** The service looks at the file at most once a second. */
async function untilStatus(status: number): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const response = await get('/api/v1/health');
    if (response.status === status || attempt === 20) {
      expect(response.status).toBe(status);
      return response;
    }
    await sleep(250);
  }
}

it('the interactive documentation is not there unless DEBUG is on', async () => {
  for (const path of ['/docs', '/docs/swagger-ui-bundle.js']) expect((await get(path)).status).toBe(404);
});
