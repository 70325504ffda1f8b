import { Worker } from 'node:worker_threads';

const LOOK_EVERY_MS = 500;

/**
 * Ends this process soon after its parent has ended, also while its own event loop stands still: a page can keep that
 * busy for a long time, and then nothing hears that the channel to the parent has closed. Hence a thread.
 */
export function endWithParent(): void {
  new Worker(watch, { eval: true, workerData: process.ppid, execArgv: [] }).unref();
}

const watch = `
  const parent = require('node:worker_threads').workerData;
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), ${LOOK_EVERY_MS});`;
