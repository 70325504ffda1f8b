import { request as httpRequest } from 'node:http';
import { availableParallelism } from 'node:os';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Run, RunOutcome } from '../../sandbox/domain/run.ts';
import {
  type AvailableLanguage,
  type RunCaller,
  type SandboxPool,
  SandboxUnavailable,
} from '../../sandbox/domain/sandbox-pool.ts';
import { type RunnerProcess, startRunnerProcess } from './runner-process.ts';

/** Runs at the same time: a runner does one. */
export const RUNNERS = Math.max(2, availableParallelism());
/** Longer than a runner needs to clean up, shorter than anybody likes to wait for nothing. */
const LONGEST_WAIT_MS = 1_000;
const LOOK_AGAIN_MS = 10;

let made: SandboxPool | undefined;

/** Runner processes on loopback, one set for all handlers of this process. */
export function embeddedSandboxPool(): SandboxPool {
  made ??= new EmbeddedSandboxPool();
  return made;
}

class EmbeddedSandboxPool implements SandboxPool {
  readonly #runners: (Promise<RunnerProcess> | null)[] = Array(RUNNERS).fill(null);
  readonly #busy = new Set<number>();
  #told = false;

  async languages(): Promise<readonly AvailableLanguage[]> {
    const { body } = await request(await this.#runner(0), 'GET', '/languages');
    return (body as { languages: AvailableLanguage[] }).languages;
  }

  async run(run: Run, { signal }: RunCaller): Promise<RunOutcome> {
    const place = await this.#freePlace();
    this.#busy.add(place);
    try {
      const { status, body } = await this.#postWhenClean(place, run, signal);
      if (status === 200) return body as RunOutcome;
      const { error } = body as { error: string };
      // It has refused to begin.
      if (status === 409 || status === 422) throw new SandboxUnavailable(error);
      throw new Error(`The runner answered ${status}: ${error}`);
    } finally {
      this.#busy.delete(place);
    }
  }

  /** A runner is busy for a moment after it has ended the run of somebody who has hung up. */
  async #postWhenClean(place: number, run: Run, signal: AbortSignal | undefined): Promise<Answer> {
    for (let waitedMs = 0; ; waitedMs += LOOK_AGAIN_MS) {
      const answer = await this.#post(place, run, signal);
      if (answer.status !== 409 || waitedMs >= LONGEST_WAIT_MS) return answer;
      await sleep(LOOK_AGAIN_MS);
    }
  }

  async #post(place: number, run: Run, signal: AbortSignal | undefined): Promise<Answer> {
    const runner = await this.#runner(place);
    try {
      return await request(runner, 'POST', '/runs', { body: run, signal });
    } catch (error) {
      // The runner ends the run of a caller that has hung up, and lives on.
      if (signal?.aborted) throw error;
      // It is dying or dead, and whatever it did ends with it; the next run gets another one.
      runner.kill();
      this.#runners[place] = null;
      // Nobody was there to hear it. Anything else may have begun.
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
      return request(await this.#runner(place), 'POST', '/runs', { body: run, signal });
    }
  }

  async #freePlace(): Promise<number> {
    for (let waitedMs = 0; waitedMs <= LONGEST_WAIT_MS; waitedMs += LOOK_AGAIN_MS) {
      const place = this.#runners.findIndex((_, index) => !this.#busy.has(index));
      if (place >= 0) return place;
      await sleep(LOOK_AGAIN_MS);
    }
    throw new SandboxUnavailable(`All ${RUNNERS} runners are busy. Please try again.`);
  }

  /** Started on first use, and again after its death. */
  async #runner(place: number): Promise<RunnerProcess> {
    const known = await this.#runners[place]?.catch(() => null);
    if (known?.isAlive()) return known;
    const starting = startRunnerProcess((missing) => this.#tellMissing(missing));
    this.#runners[place] = starting;
    return starting;
  }

  #tellMissing(missing: readonly { readonly name: string; readonly hint: string }[]): void {
    if (this.#told) return;
    this.#told = true;
    for (const { name, hint } of missing)
      console.log(`The sandbox cannot run ${name}, which is not installed: ${hint}`);
  }
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Not fetch, which gives up on an answer after five minutes; and no kept connection, which could close under a run. */
function request(
  { url, token }: RunnerProcess,
  method: string,
  path: string,
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal | undefined } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url + path, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${token}` },
      ...(signal && { signal }),
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      json(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
