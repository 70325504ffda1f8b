import type { FreePages } from '../../extraction/domain/free-pages.ts';
import { perDay } from '../../shared/limits/base-limits.ts';
import { verdict } from '../../shared/limits/rate-limit.ts';
import type { LimitPorts } from '../../shared/limits/take-tokens.ts';
import type { DynamoLimits } from '../shared/dynamo-limits.ts';

/** Ports of a limit, with a store that can report a bucket's level. */
type Ports = Pick<LimitPorts, 'clock' | 'storeFailed'> & { readonly store: Pick<DynamoLimits, 'take' | 'fullAtMs'> };

/** Free pages from a token bucket of the workspace. When its store fails, pages pass, and an alarm counts it. */
export class LimitedFreePages implements FreePages {
  readonly #limit;
  readonly #ports: Ports;

  constructor(pagesPerDay: number, ports: Ports) {
    this.#limit = perDay('free-pages', pagesPerDay);
    this.#ports = ports;
  }

  async waitSeconds(workspaceId: string): Promise<number> {
    const { store, clock, storeFailed } = this.#ports;
    try {
      const fullAtMs = await store.fullAtMs(this.#limit, workspaceId);
      const { remaining, retryAfterSeconds } = verdict(this.#limit, 1, { taken: false, fullAtMs }, clock.now());
      return remaining > 0 ? 0 : retryAfterSeconds;
    } catch (error) {
      await storeFailed(error);
      return 0;
    }
  }

  async count(workspaceId: string): Promise<void> {
    const { store, clock, storeFailed } = this.#ports;
    await store.take(this.#limit, workspaceId, 1, clock.now()).catch(storeFailed);
  }
}

/** For a deployment that does not limit them. */
export const UNLIMITED_FREE_PAGES: FreePages = { waitSeconds: async () => 0, count: async () => undefined };
