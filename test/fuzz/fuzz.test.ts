import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzz } from './campaign.ts';
import { type FuzzedService, startFuzzedService } from './service.ts';
import { targets } from './targets.ts';

/** The same inputs at every run; `npm run fuzz` tries others. */
const SEED = 'suite';
const MAX_INPUTS = 150;
const SECONDS_EACH = 4;
const FIXTURES = new URL('../fixtures/fuzz/', import.meta.url);

let service: FuzzedService;
beforeAll(async () => {
  service = await startFuzzedService();
});
afterAll(() => service?.end());

describe.each(targets)('$name', (target) => {
  it('takes damaged and hostile input', async () => {
    const campaign = { seed: SEED, maxInputs: MAX_INPUTS, untilMs: Date.now() + SECONDS_EACH * 1000 };
    const { inputs, finding } = await fuzz(target, service, campaign);
    expect(finding?.message, finding?.input.toString('base64')).toBeUndefined();
    expect(inputs).toBeGreaterThan(0);
  });

  it('takes what has found something before', async () => {
    const folder = new URL(`${target.name}/`, FIXTURES);
    const names = await readdir(folder).catch(() => []);
    const running = await target.start(service);
    for (const name of names) await running.attempt(await readFile(new URL(name, folder)));
    await service.check();
  });
});
