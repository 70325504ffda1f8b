import { expect, it } from 'vitest';
import { Transfers } from '../../../functions/adapters/runner/transfers.ts';

const MB = 1024 * 1024;

/** Files that note when they are read. */
function recorded() {
  const log: string[] = [];
  async function* file(name: string, failure?: Error) {
    log.push(`${name} begins`);
    for (let part = 0; part < 3; part += 1) yield new Uint8Array(MB);
    if (failure) throw failure;
    log.push(`${name} ends`);
  }
  return { log, file };
}

async function bytesOf(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

it('sends the files of a workspace one after another, whole', async () => {
  const { log, file } = recorded();
  const transfers = new Transfers();
  const sent = await Promise.all(['a', 'b', 'c'].map((name) => bytesOf(transfers.inTurn('ws_1', file(name)))));
  expect(sent).toEqual([3 * MB, 3 * MB, 3 * MB]);
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

it('lets no workspace wait for another', async () => {
  const { log, file } = recorded();
  const transfers = new Transfers();
  const slow = transfers.inTurn('ws_1', file('slow'));
  await slow.next();
  await bytesOf(transfers.inTurn('ws_2', file('other')));
  expect(log).toEqual(['slow begins', 'other begins', 'other ends']);
});

it('gives the turn on after a transfer that fails, and after one whose reader is gone', async () => {
  const { log, file } = recorded();
  const transfers = new Transfers();
  const failing = bytesOf(transfers.inTurn('ws_1', file('failing', new Error('unreadable'))));
  const left = transfers.inTurn('ws_1', file('left'));
  const leaving = left.next().then(() => left.return(undefined));
  const last = bytesOf(transfers.inTurn('ws_1', file('last')));
  await expect(failing).rejects.toThrow('unreadable');
  await leaving;
  expect(await last).toBe(3 * MB);
  expect(log).toEqual(['failing begins', 'left begins', 'last begins', 'last ends']);
});
