import { setTimeout as sleep } from 'node:timers/promises';
import type { KeptRunner, Runner, RunnerClient, RunnerRegistry } from '../../sandbox/domain/runner-ports.ts';
import { type AvailableLanguage, SandboxUnavailable } from '../../sandbox/domain/sandbox-pool.ts';
import type { RunnerHttp } from './runner-http.ts';
import { turnOrTime } from './turn-or-time.ts';

/** In which a container that has ended is started again. */
const RESTART_MS = 1_000;
/** After which it is looked again though nothing has been heard. */
const LOOK_AGAIN_MS = 100;

interface Place {
  readonly url: string;
  /** Of the container's present run: the next one is another runner. */
  id: string;
  workspaceId: string | null;
  session: string | null;
  isBusy: boolean;
  /** Milliseconds of the clock. */
  backAtMs: number;
}

/**
 * Runners at fixed addresses, each in a container that is started again when it ends (`restart: always`). Only the runners themselves know
 * whom they serve: these records merely save offers in vain.
 */
export class RunnerContainers implements RunnerRegistry {
  readonly #places: readonly Place[];
  readonly #client: Pick<RunnerHttp, 'languages'> & RunnerClient;
  readonly #now: () => number;
  #runs = 0;

  constructor(urls: readonly string[], client: Pick<RunnerHttp, 'languages'> & RunnerClient, now: () => number) {
    this.#places = urls.map((url) => ({
      url,
      id: this.#nextId(),
      workspaceId: null,
      session: null,
      isBusy: false,
      backAtMs: 0,
    }));
    this.#client = client;
    this.#now = now;
  }

  async candidates(workspaceId: string): Promise<readonly Runner[]> {
    return this.#places
      .filter(({ isBusy, session, backAtMs }) => !isBusy && session === null && backAtMs <= this.#now())
      .filter((place) => place.workspaceId === null || place.workspaceId === workspaceId)
      .map(({ id, url, workspaceId: owner }) => ({ id, url, workspaceId: owner }));
  }

  async languages(): Promise<readonly AvailableLanguage[]> {
    for (const place of this.#places) {
      const known = await this.#client.languages(place).catch(() => null);
      if (known !== null) return known;
    }
    throw new SandboxUnavailable('No runner answers. Look at the containers of RUNNER_URLS.');
  }

  async markTaken(runner: Runner, workspaceId: string): Promise<void> {
    this.#change(runner, { workspaceId, isBusy: true });
  }

  async markIdle(runner: Runner): Promise<void> {
    this.#change(runner, { isBusy: false });
  }

  async markDraining(runner: Runner): Promise<void> {
    const backAtMs = this.#now() + RESTART_MS;
    this.#change(runner, { id: this.#nextId(), workspaceId: null, session: null, isBusy: false, backAtMs });
  }

  async keptBy(workspaceId: string): Promise<readonly KeptRunner[]> {
    return this.#places.flatMap(({ id, url, session, workspaceId: owner }) =>
      owner === workspaceId && session !== null ? [{ id, url, session, workspaceId }] : [],
    );
  }

  async markKept(runner: Runner, workspaceId: string, session: string): Promise<void> {
    this.#change(runner, { workspaceId, session, isBusy: false });
  }

  waitForChange(maxMs: number, turn: Promise<void> | null): Promise<void> {
    return turn !== null ? turnOrTime(turn, maxMs) : sleep(Math.min(maxMs, LOOK_AGAIN_MS));
  }

  #change({ id }: Runner, changed: Partial<Place>): void {
    const place = this.#places.find((each) => each.id === id);
    if (place !== undefined) Object.assign(place, changed);
  }

  #nextId(): string {
    this.#runs += 1;
    return `runner-${this.#runs}`;
  }
}
