import { type SandboxPool, SandboxUnavailable } from '../sandbox/domain/sandbox-pool.ts';
import type { Clock } from '../shared/ports/clock.ts';
import { PublicReason } from './domain/health.ts';

/** Time for which an answer holds: asking may start a runner, and anyone may ask for the health. */
const ANSWER_HOLDS_MS = 30_000;

/** Whether the runners can run programs. */
export class SandboxCheck {
  readonly #pool: Pick<SandboxPool, 'languages'>;
  readonly #clock: Clock;
  #answer: { readonly languages: Promise<unknown>; readonly atMs: number } | null = null;

  constructor(pool: Pick<SandboxPool, 'languages'>, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  /** @throws PublicReason with the reason of the runners, without the paths of this machine */
  async run(): Promise<void> {
    const nowMs = this.#clock.now();
    if (this.#answer === null || nowMs - this.#answer.atMs >= ANSWER_HOLDS_MS)
      this.#answer = { languages: this.#pool.languages(), atMs: nowMs };
    try {
      await this.#answer.languages;
    } catch (cause) {
      if (!(cause instanceof SandboxUnavailable)) throw cause;
      throw new PublicReason(withoutPaths(cause.message), { cause });
    }
  }
}

function withoutPaths(text: string): string {
  return text.replaceAll(/(?<=^|[\s('"])\/[^\s,;:'")]{1,4096}/g, '(a path)');
}
