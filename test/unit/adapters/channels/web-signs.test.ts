import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { webSigns } from '../../../../functions/adapters/channels/web-signs.ts';
import { SafeFetch } from '../../../../functions/adapters/web/safe-fetch.ts';
import type { Channel } from '../../../../functions/channels/domain/channel.ts';
import type { InboundMessage } from '../../../../functions/channels/domain/inbound-message.ts';
import { testClock } from '../../../helpers/clock.ts';
import { listening } from '../../../helpers/listening.ts';

const { serve, closedPort } = listening();
const message = { eventId: '1:2', place: 'direct', replyTo: { chat: '1' } } as unknown as InboundMessage;

const signsAt = (api_base_url: string) => {
  const channel = { type: 'telegram', channelId: 'chn_1', settings: { api_base_url } } as unknown as Channel;
  const signs = webSigns({
    web: new SafeFetch({ field: 'The platform', allowLoopback: true }),
    tokens: { teams: async () => '', forget: () => undefined },
    secrets: { open: async () => ({ settings: channel.settings, secret: () => '1:token', validSecrets: () => [] }) },
    clock: testClock(),
    patienceMs: 20,
  });
  return (ms: number) => signs.during(channel, message, () => setTimeout(ms, 'answered'));
};

/** A platform with this status; counts what it is asked. */
async function platform(status: number) {
  const asked: string[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url!);
    response.writeHead(status).end('{}');
  });
  return { url, asked };
}

it('repeats a sign as long as the answer takes, and no longer', async () => {
  const { url, asked } = await platform(200);
  expect(await signsAt(url)(5_000)).toBe('answered');
  expect(asked).toEqual(['/bot1:token/sendChatAction', '/bot1:token/sendChatAction']);
  await setTimeout(4_700);
  expect(asked).toHaveLength(2);
}, 15_000);

it('asks a platform that refuses no second time', async () => {
  const { url, asked } = await platform(403);
  expect(await signsAt(url)(5_000)).toBe('answered');
  expect(asked).toHaveLength(1);
}, 15_000);

it('answers where the platform cannot be reached', async () => {
  expect(await signsAt(`http://127.0.0.1:${await closedPort()}`)(100)).toBe('answered');
});

it('passes on what an answer fails with', async () => {
  const { url } = await platform(200);
  const channel = { type: 'telegram', channelId: 'c', settings: { api_base_url: url } } as unknown as Channel;
  const signs = webSigns({
    web: new SafeFetch({ field: 'The platform', allowLoopback: true }),
    tokens: { teams: async () => '', forget: () => undefined },
    secrets: { open: async () => ({ settings: {}, secret: () => '', validSecrets: () => [] }) },
    clock: testClock(),
  });
  const failing = signs.during(channel, message, async () => {
    throw new Error('no model');
  });
  await expect(failing).rejects.toThrow('no model');
});
