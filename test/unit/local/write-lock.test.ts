import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { writeLock } from '../../../local/embedded/dynamodb/write-lock.ts';

it('runs one task at a time, in order, past failures', async () => {
  const exclusively = writeLock();
  const events: string[] = [];
  const task = (name: string, fails = false) =>
    exclusively(async () => {
      events.push(`${name} begins`);
      await sleep(1);
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const results = await Promise.allSettled([task('a'), task('b', true), task('c')]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});
