import { expect, it } from 'vitest';
import { gathered } from '../../../functions/adapters/shared/gathered.ts';

/** A call that the test ends. */
function calls(max: number) {
  const made: { readonly items: readonly number[]; readonly end: (failed?: ReadonlyMap<number, Error>) => void }[] = [];
  const ask = gathered<number>(max, (items) => {
    const { promise, resolve } = Promise.withResolvers<ReadonlyMap<number, Error>>();
    made.push({ items, end: (failed = new Map()) => resolve(failed) });
    return promise;
  });
  return { made, ask };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('what comes at once, or during a call, goes together; a full call does not wait while few are under way', async () => {
  const { made, ask } = calls(3);
  const asked = [ask(1), ask(2)];
  await turn();
  asked.push(ask(3));
  await turn();
  asked.push(ask(4));
  await turn();
  expect(made.map(({ items }) => items)).toEqual([[1, 2]]);
  asked.push(ask(5));
  await turn();
  expect(made.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  asked.push(ask(6));
  for (const { end } of made) end();
  await turn();
  expect(made.at(-1)!.items).toEqual([6]);
  made.at(-1)!.end();
  await Promise.all(asked);
});

it('many are sent by eight calls at a time', async () => {
  const { made, ask } = calls(2);
  const asked = Array.from({ length: 40 }, (_, n) => ask(n));
  await turn();
  expect(made).toHaveLength(8);
  for (let ended = 0; ended < made.length; ended++) {
    made[ended]!.end();
    await turn();
  }
  await Promise.all(asked);
  expect(made.flatMap(({ items }) => items)).toEqual(Array.from({ length: 40 }, (_, n) => n));
});

it('an item that fails fails for who asked for it alone; a call that fails fails for all of its items, and for no later one', async () => {
  const { made, ask } = calls(10);
  const [good, bad] = [ask(1), ask(2)];
  await turn();
  made[0]!.end(new Map([[2, new Error('refused')]]));
  await good;
  await expect(bad).rejects.toThrow('refused');

  let isDown = true;
  const down = gathered<number>(10, async () => {
    if (isDown) throw new Error('down');
    return new Map();
  });
  const results = await Promise.allSettled([down(1), down(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  await down(3);
});
