import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 100;

/** Signal of a process that has used its time; Windows knows no other than SIGKILL. */
export const TIME_USED_UP = process.platform === 'win32' ? 'SIGKILL' : 'SIGVTALRM';

/**
 * Ends this process when a page has used too much processor time: a machine that does other work must not fail a page. The event loop stands still
 * meanwhile, hence a thread.
 */
export class ProcessorLimit {
  readonly #thread = new Worker(watch, { eval: true, execArgv: [] });

  constructor() {
    this.#thread.unref();
  }

  begin(seconds: number): void {
    this.#thread.postMessage(seconds);
  }

  end(): void {
    this.#thread.postMessage(Number.POSITIVE_INFINITY);
  }
}

const watch = `
  const { parentPort } = require('node:worker_threads');
  const usedMicros = () => process.cpuUsage().user + process.cpuUsage().system;
  let endMicros = Infinity;
  parentPort.on('message', (seconds) => { endMicros = usedMicros() + seconds * 1e6; });
  setInterval(() => usedMicros() < endMicros || process.kill(process.pid, '${TIME_USED_UP}'), ${LOOK_EVERY_MS});`;
