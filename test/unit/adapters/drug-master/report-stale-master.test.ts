import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reportStaleMaster } from '../../../../functions/adapters/drug-master/report-stale-master.ts';

const list = { version: '2026-06-01', dates: [], source: '', attribution: '' };
const written: string[] = [];

beforeEach(() => {
  // Logs and metrics write past the console that the test runner replaces.
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
  written.length = 0;
});

/** Logged or counted events, object by object. */
const events = () =>
  written
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('a list older than 120 days is logged with its age and the command that renews it, and counted once', async () => {
  await reportStaleMaster(list, Date.parse('2026-10-01T00:00:00Z'));
  expect(events()).toEqual([
    expect.objectContaining({
      level: 'WARN',
      message: expect.stringMatching(/list of 2026-06-01 is 122 days old.*npm run master:import/),
    }),
    expect.objectContaining({ StaleDrugMaster: 1 }),
  ]);
});

it('a list of this month is neither logged nor counted', async () => {
  await reportStaleMaster(list, Date.parse('2026-06-20T00:00:00Z'));
  expect(events()).toEqual([]);
});
