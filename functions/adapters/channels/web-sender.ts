import type { Sender } from '../../channels/domain/delivery/delivery-ports.ts';
import {
  type ChannelAccess,
  type Platform,
  type PlatformTokens,
  type ReplyPart,
  Undeliverable,
} from '../../channels/domain/platforms/platform.ts';
import { refusedForGood, type SendOutcome, TOKEN_REFUSED } from '../../channels/domain/platforms/send-outcome.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { FetchRefused } from '../web/fetch-refused.ts';
import type { SafeFetch } from '../web/safe-fetch.ts';
import { outcomeOfRefusal, TokenFailed } from './failures.ts';
import { makeCall } from './web-calls.ts';

/** Both are shorter than the lease of a probe, and than the time a worker has left when it starts an attempt. */
const TIMEOUT_MS = 10_000;
/** For platforms that show a part as often as it is sent: they are given the time to say that they have taken it. */
const PATIENT_TIMEOUT_MS = 30_000;

export interface SenderPorts {
  readonly web: SafeFetch;
  readonly tokens: PlatformTokens;
  readonly clock: Clock;
  readonly timeoutMs?: number;
}

/** Sends replies through the safe fetch: to the public internet only, without following redirects. */
export class WebSender implements Sender {
  readonly #ports: SenderPorts;

  constructor(ports: SenderPorts) {
    this.#ports = ports;
  }

  async send(platform: Platform, part: ReplyPart, access: ChannelAccess): Promise<SendOutcome> {
    const { web, tokens, clock } = this.#ports;
    const { timeoutMs = platform.dropsRepeats ? TIMEOUT_MS : PATIENT_TIMEOUT_MS } = this.#ports;
    try {
      const attempt = async (to: ReplyPart) => {
        const call = await platform.send(to, access, clock.now(), tokens);
        return makeCall(web, call, timeoutMs, part.channelId);
      };
      const answer = await attempt(part);
      const moved = platform.movedTo?.(answer, part.target) ?? null;
      const outcome = platform.outcomeOf(moved === null ? answer : await attempt({ ...part, target: moved }), part);
      if (outcome.kind === 'failed' && outcome.code === TOKEN_REFUSED) tokens.forget(part.channelId, access);
      return outcome;
    } catch (error) {
      if (error instanceof TokenFailed) return error.outcome;
      if (error instanceof Undeliverable) return refusedForGood(error.code);
      if (error instanceof FetchRefused) return outcomeOfRefusal(error);
      throw error;
    }
  }
}
