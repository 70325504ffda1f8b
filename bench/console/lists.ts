import { readFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Page } from 'playwright-core';
import { dynamoClient } from '../../functions/adapters/dynamodb/client.ts';
import { DynamoExtractions, extractionItem } from '../../functions/adapters/extraction/dynamo-extractions.ts';
import { systemClock, ulidIds } from '../../functions/adapters/shared/system-ports.ts';
import type { StoredExtraction } from '../../functions/extraction/domain/stored-extraction.ts';
import { environment } from '../../functions/shared/environment.ts';
import { type Bench, callApi, type Figure, logIn, openBrowser } from './visit.ts';

const EXTRACTIONS = 100_000;
const LINES = 500;
const MAX_PER_REQUEST = 100;
const FRAMES = 300;
const PIXELS_PER_FRAME = 90;
/** Of sixty a second; one is missed now and then. */
const MIN_FRAMES_PER_SECOND = 58;
/** The rest of a frame is for the browser. Where other programs take the processor, this alone says something of the page. */
const MAX_MS_PER_FRAME = 10;

/** Long lists: whether they scroll at sixty frames a second, and what they ask for at once. */
export async function* measureLists(bench: Bench): AsyncGenerator<Figure> {
  const page500 = await store(bench);
  const browser = await openBrowser();
  try {
    const page = browser.pages()[0]!;
    let largest = 0;
    page.on('response', async (response) => {
      if (!response.url().includes('/api/v1/extractions?')) return;
      const { extractions } = (await response.json().catch(() => ({}))) as { extractions?: unknown[] };
      largest = Math.max(largest, extractions?.length ?? 0);
    });
    await logIn(page, bench);
    await page.goto(`${bench.url}/extractions`);
    await page.locator('tr[data-index]').first().waitFor();
    yield frames(
      `${EXTRACTIONS} extractions, while they are loaded`,
      await scrolled(page, 'document.scrollingElement'),
    );
    const loaded = await toTheEnd(page);
    yield frames(`${loaded} extractions, all loaded`, await scrolled(page, 'document.scrollingElement', -1));
    yield {
      what: 'Most extractions in one response',
      figure: String(largest),
      bar: `at most ${MAX_PER_REQUEST}`,
      isMet: largest <= MAX_PER_REQUEST && loaded >= EXTRACTIONS,
    };
    await page.goto(`${bench.url}/review/${page500}`);
    await page.locator('li[aria-current]').waitFor();
    const list = `document.querySelector('li[data-index]').closest('section')`;
    yield frames(`A page with ${LINES} lines`, await scrolled(page, list));
    const nodes = await runLong(bench, page);
    yield frames(`A run of ${nodes} executions, by its events`, await scrolled(page, 'document.scrollingElement'));
  } finally {
    await browser.close();
  }
}

/** Runs a workflow that goes through very many items. @returns how many executions are listed */
async function runLong(bench: Bench, page: Page): Promise<number> {
  const { data } = await callApi<{ data: { id: string } }>(bench, 'POST', 'workflows', { name: 'Long', graph: LONG });
  await page.goto(`${bench.url}/workflows/${data.id}`);
  await page.getByRole('button', { name: 'Run the draft' }).click();
  await page.getByText('Answer: 2000').first().waitFor({ timeout: 60_000 });
  await page.evaluate('document.scrollingElement.scrollTop = document.scrollingElement.scrollHeight');
  await page.waitForTimeout(500);
  const last = await page.locator('ol > li[data-index]').last().getAttribute('data-index');
  await page.evaluate('document.scrollingElement.scrollTop = 0');
  return Number(last) + 1;
}

const ITEMS = Array.from({ length: 2_000 }, (_, index) => index);
const LONG = {
  settings: { max_steps: 5_000 },
  nodes: [
    { id: 'start', type: 'start', data: { config: { fields: [{ name: 'items', type: 'list', default: ITEMS }] } } },
    { id: 'each', type: 'iteration', data: { config: { items: '{{start.items}}', output: '{{one.text}}' } } },
    { id: 'one', type: 'template', parent_id: 'each', data: { config: { template: '1' } } },
    { id: 'end', type: 'answer', data: { config: { text: 'Answer: {{each.count}}' } } },
  ],
  edges: [
    { source: 'start', target: 'each' },
    { source: 'each', target: 'end' },
  ],
};

function frames(what: string, { perSecond, busyMs }: Scrolled): Figure {
  const isBusy = loadavg()[0]! > cpus().length;
  return {
    what: `Scrolling: ${what}`,
    figure: `${perSecond.toFixed(1)} frames/s, ${busyMs.toFixed(1)} ms of work each`,
    bar: isBusy ? `on this busy machine: ${MAX_MS_PER_FRAME} ms of work` : `${MIN_FRAMES_PER_SECOND} frames/s or more`,
    isMet: isBusy ? busyMs <= MAX_MS_PER_FRAME : perSecond >= MIN_FRAMES_PER_SECOND,
  };
}

interface Scrolled {
  readonly perSecond: number;
  /** Processor time of the page's main thread for each frame. */
  readonly busyMs: number;
}

/** Scrolls a little in every frame. @param element as an expression */
async function scrolled(page: Page, element: string, direction = 1): Promise<Scrolled> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busySeconds = async () =>
    (await devTools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value;
  const before = await busySeconds();
  const perSecond = await page.evaluate<number>(`new Promise((done) => {
    const element = ${element};
    let [left, began] = [${FRAMES}, 0];
    const frame = (now) => {
      if (started === 0) started = now;
      if (left-- === 0) return done(${FRAMES} / ((now - began) / 1000));
      element.scrollTop += ${PIXELS_PER_FRAME * direction};
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);
  const busyMs = ((await busySeconds()) - before) * (1000 / FRAMES);
  await devTools.detach();
  return { perSecond, busyMs };
}

/** Scrolls until nothing more is loaded. @returns how many rows there are */
async function toTheEnd(page: Page): Promise<number> {
  const rows = () => page.locator('tr[aria-rowindex]').last().getAttribute('aria-rowindex');
  for (let before = '', same = 0; same < 20; ) {
    await page.evaluate('document.scrollingElement.scrollTop = document.scrollingElement.scrollHeight');
    await page.waitForTimeout(50);
    const now = (await rows()) ?? '';
    same = now === before ? same + 1 : 0;
    before = now;
  }
  return Number(await rows()) - 1;
}

/** Copies of the sample page, and one with very many lines. @returns the id of that one */
async function store(bench: Bench): Promise<string> {
  const image = (await readFile(new URL('../../docs/sample-page.png', import.meta.url))).toString('base64');
  const { requestId } = await callApi<{ requestId: string }>(bench, 'POST', 'edi-extract-lite/extract', { image });
  const { EXTRACTIONS_TABLE: table } = environment('EXTRACTIONS_TABLE');
  const client = dynamoClient();
  const { workspaceId } = bench.person;
  const read = (await new DynamoExtractions(client, table, systemClock).find(workspaceId, requestId))!;
  const long = longPage(read);
  const copies = function* () {
    yield extractionItem(long);
    const item = extractionItem(read);
    for (let i = 1; i < EXTRACTIONS; i++) {
      const extractionId = ulidIds.next('ext');
      yield { ...item, sk: item.sk.replace(requestId, extractionId), extractionId };
    }
  };
  const rest = copies();
  const write = async () => {
    for (;;) {
      const some = [...take(rest, 25)];
      if (some.length === 0) return;
      const requests = some.map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
  return long.extractionId;
}

function* take<T>(items: Iterator<T>, count: number): Generator<T> {
  for (let i = 0; i < count; i++) {
    const { value, done } = items.next();
    if (done) return;
    yield value;
  }
}

function longPage(read: StoredExtraction): StoredExtraction {
  const { page } = read;
  const times = <T>(values: readonly T[]): T[] => Array.from({ length: LINES }, (_, i) => values[i % values.length]!);
  return {
    ...read,
    extractionId: ulidIds.next('ext'),
    page: {
      ...page,
      items: times(page.items).map((item) => ({ ...item, needsReview: true })),
      ...(page.places && { places: times(page.places) }),
    },
  };
}
