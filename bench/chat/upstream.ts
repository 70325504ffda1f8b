/**
 * A model provider on loopback that speaks OpenAI's wire, for benchmarks: the request's `metadata` says how long it waits
 * before the first token, how many tokens follow and how long it rests between two.
 */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const HEAD = { id: 'up-1', object: 'chat.completion.chunk', created: 1, model: 'upstream' };
const event = (data: object | string) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
const chunk = (delta: object, finish_reason: string | null = null) =>
  event({ ...HEAD, choices: [{ index: 0, delta, finish_reason }] });
const TOKEN = chunk({ content: 'token ' });

const server = http.createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const part of request) chunks.push(part as Buffer);
  const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] };
  const { firstMs, tokens, restMs } = JSON.parse(messages.at(-1)!.content) as Record<string, number>;
  const leaving = new AbortController();
  const closed = once(response, 'close').then(() => leaving.abort());
  const gone = leaving.signal;
  await sleep(firstMs);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chunk({ role: 'assistant', content: '' }));
  for (let sent = 0; sent < tokens! && !response.destroyed; sent++) {
    if (restMs) await sleep(restMs);
    if (!response.write(TOKEN) && !response.destroyed)
      await Promise.race([once(response, 'drain', { signal: gone }), closed]).catch(() => undefined);
  }
  const usage = { prompt_tokens: 1, completion_tokens: tokens, total_tokens: tokens! + 1 };
  response.end(chunk({}, 'stop') + event({ ...HEAD, choices: [], usage }) + event('[DONE]'));
});
server.keepAliveTimeout = 60_000;
const port = Number(process.argv[2] ?? 0);
server.listen(port, '127.0.0.1', () => {
  console.log(`Tripod is ready: http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
