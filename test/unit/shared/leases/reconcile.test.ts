import { expect, it } from 'vitest';
import { type Decision, reconcile } from '../../../../functions/shared/leases/reconcile.ts';

/** Reconciles groups of work named by the decisions on them; work that ends in `!` has changed since it was read. */
async function reconciled(groups: Readonly<Record<string, readonly `${Decision}${'' | '!'}`[]>>) {
  const done: string[] = [];
  const totals = await reconcile<string, string>(
    {
      async *open() {
        yield* Object.keys(groups);
      },
      unfinished: async (group) => groups[group] ?? [],
      decide: (work) => work.replace('!', '') as Decision,
      async requeue(work) {
        done.push(work);
        return !work.endsWith('!');
      },
      async fail(work) {
        done.push(work);
        return !work.endsWith('!');
      },
      send: async (works, group) => void done.push(`send ${works.length} of ${group}`),
      close: async (group) => void done.push(`close ${group}`),
    },
    { clock: { now: () => 0 } },
  );
  return { ...totals, done };
}

it('counts what it queues again before it sends the messages of a group', async () => {
  expect(await reconciled({ a: ['requeue', 'wait', 'send', 'requeue'], b: ['requeue'] })).toEqual({
    ...{ requeued: 4, failed: 0, closed: 0 },
    done: ['requeue', 'requeue', 'send 3 of a', 'requeue', 'send 1 of b'],
  });
});

it('leaves alone what has changed since it was read', async () => {
  expect(await reconciled({ a: ['requeue!', 'fail!'] })).toEqual({
    ...{ requeued: 0, failed: 0, closed: 0 },
    done: ['requeue!', 'fail!'],
  });
});

it('gives up what it is to fail, and takes off the list what has no work left', async () => {
  expect(await reconciled({ a: ['fail', 'wait'], b: [] })).toEqual({
    ...{ requeued: 0, failed: 1, closed: 1 },
    done: ['fail', 'close b'],
  });
});
