/**
 * Sends messages over a WebSocket at a steady rate, until a message of its parent ends it; then reports. A lost connection is reopened. A
 * separate process at the lowest priority, which shares no event loop with the measured one.
 */
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';

export interface SocketFlood {
  readonly url: string;
  readonly key: string;
  readonly perSecond: number;
  readonly message: 'ping' | 'chat' | 'garbage';
}

export interface SocketFloodReport {
  readonly sent: number;
  readonly answers: number;
  readonly connections: number;
  /** Connections that were not opened. */
  readonly refused: number;
  readonly seconds: number;
}

const TEXTS = {
  ping: JSON.stringify({ type: 'ping', id: 'p' }),
  chat: JSON.stringify({
    type: 'chat',
    application_id: '0198c2a4-5b6d-7e8f-9a0b-1c2d3e4f5a6b',
    body: { messages: [{ role: 'user', content: 'Hello' }] },
  }),
  garbage: '{',
} as const;
const TICK_MS = 10;
/** Measures messages, not attempts to connect. */
const REFUSED_MS = 200;

setPriority(constants.priority.PRIORITY_LOW);
// Also when the benchmark was ended in the middle.
process.once('disconnect', () => process.exit());
process.once('message', async ({ url, key, perSecond, message }: SocketFlood) => {
  const report = { sent: 0, answers: 0, connections: 0, refused: 0 };
  let isOver = false;
  process.once('message', () => {
    isOver = true;
  });
  const begunMs = performance.now();
  let socket = null as WebSocket | null;
  let due = 0;
  for (let last = begunMs; !isOver; ) {
    if (socket?.readyState !== WebSocket.OPEN) {
      socket = await open(`${url.replace('http', 'ws')}/api/v1/ws?token=${key}`);
      if (socket === null) {
        report.refused += 1;
        await sleep(REFUSED_MS);
      } else report.connections += 1;
      socket?.on('message', () => {
        report.answers += 1;
      });
    }
    const now = performance.now();
    // What could not be sent while there was no connection is made up for.
    due = Math.min(due + ((now - last) * perSecond) / 1000, perSecond);
    last = now;
    for (; due >= 1 && socket?.readyState === WebSocket.OPEN; due--) {
      socket.send(TEXTS[message]);
      report.sent += 1;
    }
    await sleep(TICK_MS);
  }
  socket?.terminate();
  process.send!({ ...report, seconds: (performance.now() - begunMs) / 1000 } satisfies SocketFloodReport);
  process.disconnect();
});

function open(url: string): Promise<WebSocket | null> {
  const socket = new WebSocket(url);
  return new Promise((resolve) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', () => resolve(null));
    socket.on('error', () => resolve(null));
  });
}
