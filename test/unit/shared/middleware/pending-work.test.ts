import { afterEach, expect, it, vi } from 'vitest';
import { logger } from '../../../../functions/shared/logging.ts';
import { pendingWork } from '../../../../functions/shared/middleware/pending-work.ts';
import { type Exchange, middy } from '../../../../functions/shared/middy.ts';

interface Context {
  readonly background: (work: Promise<unknown>) => void;
}

afterEach(() => vi.restoreAllMocks());

const handlerOf = (handle: (event: object, context: Context) => Promise<string>) =>
  middy<Exchange, () => Promise<unknown>>(handle).use(pendingWork());

it.each(['result', 'error'] as const)('a function that ends with a %s waits for its background work', async (end) => {
  const warn = vi.spyOn(logger(), 'warn').mockImplementation(() => undefined);
  const done: string[] = [];
  const handler = handlerOf(async (_, { background }) => {
    background(new Promise(setImmediate).then(() => done.push('late')));
    background(Promise.reject(new Error('lost')));
    if (end === 'error') throw new Error('failed');
    return 'ok';
  });
  await (end === 'error' ? expect(handler()).rejects.toThrow('failed') : expect(handler()).resolves.toBe('ok'));
  expect(done).toEqual(['late']);
  expect(warn).toHaveBeenCalledOnce();
});
