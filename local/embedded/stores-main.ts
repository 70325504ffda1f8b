import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { startStores } from './stores.ts';
import { STARTED, type StoreAnswer, type StoreCall, toPlain } from './stores-thread.ts';

/** The thread of the stores: starts them on the directory that it is given, and answers the calls of the main thread. */

const port = parentPort;
if (port === null) throw new Error('This module runs in a separate thread.');
const answer = (message: StoreAnswer) => port.postMessage(message);

try {
  const stores = await startStores(String(workerData));
  const { key, environment, queues } = stores;
  port.on('message', ({ id, method, args }: StoreCall) => {
    const call = stores[method] as (...args: readonly unknown[]) => Promise<unknown>;
    call(...args)
      .then(
        (value) => answer({ id, value }),
        (error: unknown) => answer({ id, error: toPlain(error) }),
      )
      .finally(() => method === 'stop' && port.close());
  });
  answer({ id: STARTED, value: { key, environment, queues } });
  // A thread has a separate cache, and may end as suddenly as the process.
  setImmediate(flushCompileCache);
} catch (error) {
  answer({ id: STARTED, error: toPlain(error) });
}
