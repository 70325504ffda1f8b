import { setTimeout } from 'node:timers/promises';
import type { AnswerPorts } from '../../channels/domain/answer-lane.ts';
import type { Channel } from '../../channels/domain/channel.ts';
import type { ChannelSecrets } from '../../channels/domain/delivery/delivery-ports.ts';
import type { Answering, PlatformTokens } from '../../channels/domain/platforms/platform.ts';
import { platforms } from '../../channels/domain/platforms/platforms.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { SafeFetch } from '../web/safe-fetch.ts';
import { makeCall } from './web-calls.ts';

/** Answers that come sooner need no sign. */
const PATIENCE_MS = 1_500;
const TIMEOUT_MS = 5_000;
/** A sign is repeated so long before the platform ends it. */
const AHEAD_MS = 500;

export interface SignPorts {
  readonly web: SafeFetch;
  readonly tokens: PlatformTokens;
  readonly secrets: ChannelSecrets;
  readonly clock: Clock;
  readonly patienceMs?: number;
}

/** Signs of life by the platforms' own calls. What fails there changes nothing. */
export function webSigns(ports: SignPorts): AnswerPorts['signs'] {
  return {
    async during(channel, message, work) {
      const ended = new AbortController();
      // Its end is the end of the work.
      show(channel, message, ended.signal, ports).catch(() => undefined);
      try {
        return await work();
      } finally {
        ended.abort();
      }
    },
  };
}

async function show(channel: Channel, message: Answering, signal: AbortSignal, ports: SignPorts): Promise<void> {
  const { web, tokens, secrets, clock, patienceMs = PATIENCE_MS } = ports;
  const platform = platforms[channel.type];
  if (platform.signOfLife === undefined) return;
  await setTimeout(patienceMs, undefined, { signal });
  const access = await secrets.open(channel, clock.now());
  while (!signal.aborted) {
    const sign = await platform.signOfLife(message, access, channel.channelId, tokens);
    if (sign === null) return;
    const { status } = await makeCall(web, sign.call, TIMEOUT_MS, channel.channelId);
    // A platform that refuses one refuses the next.
    if (status >= 300) return;
    await setTimeout(Math.max(AHEAD_MS, sign.lastsMs - AHEAD_MS), undefined, { signal });
  }
}
