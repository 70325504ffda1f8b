import sharp from 'sharp';
import { expect, it } from 'vitest';
import { threadedOwnList } from '../../../../functions/adapters/drug-master/own-list-thread.ts';
import { drawnPage } from '../../../../functions/adapters/extraction/page-drawing.ts';
import { readText } from '../../../../functions/adapters/knowledge/segment-thread.ts';
import { readSiteText } from '../../../../functions/adapters/knowledge/sources/site-thread.ts';
import { threadedYaml } from '../../../../functions/adapters/workflows/threaded-yaml.ts';
import type { JobCaller } from '../../../../functions/shared/ports/job-caller.ts';

const QUEUED = 6;
const closing = (count: number) => Buffer.from('<div>'.repeat(count) + '</b>'.repeat(count));
const picture = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
const list = (rows: number) => Buffer.from(`code,name\n${'a1,가\n'.repeat(rows)}`).toString('base64');

it.each<[string, (caller: JobCaller, isLong: boolean) => Promise<unknown>]>([
  ['YAML imports', (caller, isLong) => threadedYaml(isLong ? '- a\n'.repeat(60_000) : 'a: 1', caller)],
  [
    'documents',
    (caller, isLong) => readText(isLong ? closing(30_000) : Buffer.from('a,b\n1,2'), isLong ? 'html' : 'csv', caller),
  ],
  ['own lists', (caller, isLong) => threadedOwnList(list(isLong ? 90_000 : 1), '2026-11-29T00:00:00.000Z', caller)],
  [
    'pages of websites',
    (caller, isLong) =>
      readSiteText('page', { bytes: closing(isLong ? 30_000 : 1), url: 'https://example.com/' }, caller),
  ],
  ['drawn pages', async (caller, isLong) => drawnPage(await picture(isLong ? 3_000 : 10), 1, caller)],
])('%s of another workspace are read before those that one has queued', { timeout: 120_000 }, async (_name, read) => {
  let done = 0;
  const queued = Array.from({ length: QUEUED }, () =>
    read({ tenant: 'greedy' }, true)
      .catch(() => undefined)
      .then(() => {
        done++;
      }),
  );
  await read({ tenant: 'other' }, false);
  expect(done).toBeLessThan(QUEUED / 2);
  await Promise.all(queued);
});
