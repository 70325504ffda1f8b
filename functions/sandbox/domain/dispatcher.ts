import type { Clock } from '../../shared/ports/clock.ts';
import type { Run, RunOutcome } from './run.ts';
import type { Runner, RunnerAnswer, RunnerClient, RunnerRegistry } from './runner-ports.ts';
import { type AvailableLanguage, type RunCaller, type SandboxPool, SandboxUnavailable } from './sandbox-pool.ts';

export interface DispatchPorts {
  readonly registry: RunnerRegistry;
  readonly client: RunnerClient;
  readonly clock: Clock;
  /** A number from 0 up to 1, for dispatchers that do not know of each other to ask different runners. */
  readonly random: () => number;
  /** Told when a program found no runner: there are too few. */
  readonly missed: () => Promise<void>;
  /** Told when the registry could not be told something. */
  readonly unnoted: (error: unknown) => void;
}

export interface DispatchLimits {
  /** Runners that a workspace may have at the same time: none may take the others' away. */
  readonly mostPerWorkspace: number;
}

/** Runners that are asked before the registry is looked at again: so many of the workspace's own, and so many of nobody's. */
const MOST_ASKED = 3;
const PREPARING_RETRY_SECONDS = 15;
/** Longer than a runner needs to clean up, shorter than anybody likes to wait for nothing. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Finds a runner for a program. The runner decides: who knows of it may be behind. So runners are asked one after another
 * until one takes the program; what was taken and then lost is lost, and never offered to another one.
 */
export class Dispatcher implements SandboxPool {
  readonly #ports: DispatchPorts;
  readonly #limits: DispatchLimits;

  constructor(ports: DispatchPorts, limits: DispatchLimits) {
    this.#ports = ports;
    this.#limits = limits;
  }

  languages(): Promise<readonly AvailableLanguage[]> {
    return this.#ports.registry.languages();
  }

  async run(run: Run, caller: RunCaller): Promise<RunOutcome> {
    const { registry, clock, missed } = this.#ports;
    // The registry's own time does not count: where it has to start a runner, that one is worth waiting for.
    for (let waitedMs = 0; ; ) {
      const { asked, shortage } = await this.#candidates(caller.workspaceId);
      const sinceMs = clock.now();
      for (const runner of asked) {
        caller.signal?.throwIfAborted();
        const answer = await this.#offer(runner, run, caller);
        if (answer.kind === 'ran') return answer.outcome;
        if (answer.reason === 'no_language')
          throw new SandboxUnavailable(`${run.language} cannot be run at the moment. Please try again.`);
        if (answer.reason === 'preparing')
          throw new SandboxUnavailable(
            `${run.language} is being prepared on this machine: its standard library is compiled once, which takes about a minute. Please try again.`,
            { retryAfterSeconds: PREPARING_RETRY_SECONDS },
          );
        if (waitedMs + clock.now() - sinceMs >= LONGEST_WAIT_MS) break;
      }
      const leftMs = LONGEST_WAIT_MS - waitedMs - (clock.now() - sinceMs);
      if (leftMs <= 0) {
        if (shortage === OF_RUNNERS) await missed();
        throw new SandboxUnavailable(shortage);
      }
      await registry.change(leftMs);
      waitedMs += clock.now() - sinceMs;
    }
  }

  async #candidates(workspaceId: string): Promise<{ asked: readonly Runner[]; shortage: string }> {
    const known = await this.#known(workspaceId);
    const own = known.filter((runner) => runner.workspaceId === workspaceId);
    const nobodys = known.filter((runner) => runner.workspaceId === null);
    const { mostPerWorkspace } = this.#limits;
    if (own.length >= mostPerWorkspace) return { asked: this.#some(own), shortage: ofItsOwn(mostPerWorkspace) };
    return { asked: [...this.#some(own), ...this.#some(nobodys)], shortage: OF_RUNNERS };
  }

  async #known(workspaceId: string): Promise<readonly Runner[]> {
    try {
      return await this.#ports.registry.candidates(workspaceId);
    } catch (error) {
      if (error instanceof SandboxUnavailable) throw error;
      throw new SandboxUnavailable('The runners cannot be looked up at the moment. Please try again.', {
        cause: error,
      });
    }
  }

  /** Any of them, in any order. */
  #some(runners: readonly Runner[]): readonly Runner[] {
    return runners
      .map((runner) => ({ runner, place: this.#ports.random() }))
      .sort((a, b) => a.place - b.place)
      .slice(0, MOST_ASKED)
      .map(({ runner }) => runner);
  }

  async #offer(runner: Runner, run: Run, caller: RunCaller): Promise<RunnerAnswer> {
    const { registry, client, unnoted } = this.#ports;
    const notes: Promise<void>[] = [];
    const note = (noting: Promise<void>) => notes.push(noting.catch(unnoted));
    let isTaken = false;
    const taken = () => {
      isTaken = true;
      note(registry.taken(runner, caller.workspaceId));
    };
    try {
      const answer = await client.run(runner, run, caller, taken);
      // What is noted first must arrive first.
      await Promise.all(notes);
      if (isOver(answer)) note(registry.ended(runner));
      else if (answer.kind === 'ran') note(registry.freed(runner));
      return answer;
    } catch (error) {
      if (isTaken) note(registry.ended(runner));
      throw error;
    } finally {
      // A function that has answered is frozen: what is noted later is lost.
      await Promise.all(notes);
    }
  }
}

function isOver(answer: RunnerAnswer): boolean {
  return answer.kind === 'ran' ? answer.retires : answer.reason === 'retired' || answer.reason === 'unreachable';
}

const OF_RUNNERS = 'All runners are busy. Please try again.';

const ofItsOwn = (most: number) =>
  `All ${most} runners that a workspace may use at the same time are busy. Please try again.`;
