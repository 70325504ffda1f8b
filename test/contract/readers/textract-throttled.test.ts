import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SHIPPED_MASTER } from '../../../functions/adapters/drug-master/shipped-master.ts';
import { openJudge } from '../../../functions/adapters/readers/open-judge.ts';
import { openPool } from '../../../functions/adapters/readers/pool/open-pool.ts';
import type { ReaderPool } from '../../../functions/adapters/readers/pool/reader-pool.ts';
import type { PageJudge } from '../../../functions/extraction/domain/page-judge.ts';
import { knownTemplate } from '../../../functions/extraction/domain/templates.ts';
import { shortPage } from '../../helpers/page-images.ts';

/** Textract as the SDK meets it, busy for the first calls. */
let busyCalls = 0;
let calls = 0;
const textract = createServer((request, response) => {
  request.resume().on('end', () => {
    calls += 1;
    const isBusy = calls <= busyCalls;
    response.writeHead(isBusy ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(isBusy ? { __type: 'ThrottlingException', message: 'Rate exceeded' } : { Blocks: [] }));
  });
});
let pool: ReaderPool;
let judges: Readonly<Record<string, PageJudge>>;
let page: Uint8Array;

beforeAll(async () => {
  await new Promise<void>((resolve) => textract.listen(0, '127.0.0.1', resolve));
  const { port } = textract.address() as AddressInfo;
  vi.stubEnv('AWS_ENDPOINT_URL_TEXTRACT', `http://127.0.0.1:${port}`);
  vi.stubEnv('AWS_REGION', 'ap-northeast-2');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any');
  const settings = {
    reader: { usual: 'textract', servicesReachable: true } as const,
    drugMaster: SHIPPED_MASTER.href,
    formularies: 'none-is-asked-for',
  };
  pool = await openPool(settings);
  judges = { 'this process': await openJudge({ ...settings, threads: 1 }), 'separate processes': pool };
  page = await shortPage();
});
afterAll(() => {
  pool.close();
  vi.unstubAllEnvs();
  textract.closeAllConnections();
  textract.close();
});

describe.each(['this process', 'separate processes'])('a reader in %s', (where) => {
  function read(throttled: number) {
    busyCalls = throttled;
    calls = 0;
    return judges[where]!.judge(page, knownTemplate('default'), { today: '2026-11-02' });
  }

  it('asks Textract again while it is throttled', async () => {
    expect(await read(3)).toMatchObject({ page: { meta: { imageReadable: true } } });
    expect(calls).toBe(4);
  });

  it('reads by itself in the end, and says in meta that Textract was throttled', async () => {
    const { page: read4 } = await read(100);
    expect(read4).toMatchObject({
      foundTable: true,
      meta: { readingService: { name: 'textract', outcome: 'throttled' } },
    });
    expect(calls).toBe(4);
  });
});
