import { expect, it } from 'vitest';
import { growingThreads } from '../../../helpers/growing-thread.ts';

it.each(['list', 'map', 'objects'] as const)(
  'a job that fills the heap by a growing %s ends its thread, and not the process',
  { timeout: 120_000 },
  async (growth) => {
    await expect(growingThreads().run(growth, { tenant: 'one' })).rejects.toMatchObject({ reason: 'memory' });
  },
);
