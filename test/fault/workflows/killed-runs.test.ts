import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServiceProcess } from '../../helpers/service.ts';
import { killRounds } from '../../helpers/workflows/kill-rounds.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tripod-killed-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

// `npm run bench kills` does it more often.
it('a service that is killed at random moments does nothing twice, and leaves no run stuck', async () => {
  const { runs } = await killRounds({ rounds: 2, seed: 11, start: () => startServiceProcess({ dataDir }) });
  expect(runs).toBe(4);
});
