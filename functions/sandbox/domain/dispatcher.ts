import type { Clock } from '../../shared/ports/clock.ts';
import { heldBytes, KEPT_LANGUAGES, keptSessionKey, type Run, type RunOutcome } from './run.ts';
import type { Runner, RunnerAnswer, RunnerClient, RunnerRegistry } from './runner-ports.ts';
import {
  type AvailableLanguage,
  type KeptSessions,
  type RunCaller,
  type SandboxPool,
  SandboxUnavailable,
} from './sandbox-pool.ts';
import { type Place, WaitingLines } from './waiting-lines.ts';

export interface DispatchPorts {
  readonly registry: RunnerRegistry;
  readonly client: RunnerClient;
  readonly clock: Clock;
  /** A number from 0 up to 1: spreads independent dispatchers over the runners. */
  readonly random: () => number;
  /** Called when a program found no runner: there are too few. */
  readonly onNoRunner: () => Promise<void>;
  /** Called when an update of the registry failed. */
  readonly onRegistryError: (error: unknown) => void;
}

export interface DispatchLimits {
  /** Programs of a workspace that run at the same time, so that others find a runner. */
  readonly maxPerWorkspace: number;
  /** As many of them may run before one in the background has to wait. */
  readonly maxInBackground: number;
  /** Sessions that a workspace may have kept at the same time. */
  readonly maxKept: number;
  /** Unassigned runners reserved for workspaces without a runner. */
  readonly reserve: number;
}

/** Offers before the registry is read again: this number to the workspace's runners, and this number to unassigned ones. */
const MAX_OFFERS = 3;
const PREPARING_RETRY_SECONDS = 15;
/** Longer than a runner needs to clean up: the minimum, and the wait before a caller's own retry. */
const MIN_WAIT_MS = 1_000;
/** Longest pause between two attempts to find a runner. */
const MAX_PAUSE_MS = 1_000;
const KEPT_RETRY_SECONDS = 30;
/** Around a run, for its runner and its records. */
const RESERVE_MS = 10_000;

/**
 * Finds a runner for a program. The runner decides, since the registry may be behind: runners are offered the program one
 * after another until one accepts it. A program that was accepted and then lost is lost, and never offered again.
 */
export class Dispatcher implements SandboxPool, KeptSessions {
  readonly #ports: DispatchPorts;
  readonly #limits: DispatchLimits;
  readonly #lines = new WaitingLines();
  /** Programs of each workspace that this dispatcher is offering or running. */
  readonly #programs = new Map<string, number>();

  constructor(ports: DispatchPorts, limits: DispatchLimits) {
    this.#ports = ports;
    this.#limits = limits;
  }

  languages(): Promise<readonly AvailableLanguage[]> {
    return this.#ports.registry.languages();
  }

  async run(run: Run, caller: RunCaller): Promise<RunOutcome> {
    const place = this.#joinLine(run, caller);
    try {
      return await this.#runFromLine(run, caller, place);
    } finally {
      place.leave();
    }
  }

  /** One after another looks for a runner: who came first gets it, and a long line costs no more than a short one. */
  async #runFromLine(run: Run, caller: RunCaller, place: Place): Promise<RunOutcome> {
    const { registry, clock, onNoRunner } = this.#ports;
    const { workspaceId } = caller;
    const maxWaitMs = this.#patienceMs(run, caller);
    // The registry's own time does not count: a runner that it has to start is worth waiting for.
    for (let waitedMs = 0; ; ) {
      caller.signal?.throwIfAborted();
      let shortage = ofItsOwn(this.#limits.maxPerWorkspace);
      let offeredSinceMs = clock.now();
      if (place.isFirst() && this.#acquire(caller))
        try {
          const found = await this.#candidatesFor(run, workspaceId);
          shortage = found.shortage;
          offeredSinceMs = clock.now();
          const outcome = await this.#offerToAny(found.candidates, run, caller, place, maxWaitMs - waitedMs);
          if (outcome !== null) return outcome;
        } finally {
          this.#release(workspaceId);
        }
      const leftMs = maxWaitMs - waitedMs - (clock.now() - offeredSinceMs);
      if (leftMs <= 0) {
        if (shortage === OF_RUNNERS) await onNoRunner();
        throw new SandboxUnavailable(shortage);
      }
      await registry.waitForChange(Math.min(leftMs, MAX_PAUSE_MS), place.isFirst() ? null : place.turn);
      waitedMs += clock.now() - offeredSinceMs;
    }
  }

  /** As long as the program may run itself, if that leaves it its time. */
  #patienceMs({ timeoutSeconds }: Run, { isBackground = false, untilMs }: RunCaller): number {
    if (isBackground || untilMs === undefined) return MIN_WAIT_MS;
    const timeoutMs = timeoutSeconds * 1000;
    const spareMs = untilMs - this.#ports.clock.now() - timeoutMs - RESERVE_MS;
    return Math.max(MIN_WAIT_MS, Math.min(timeoutMs, spareMs));
  }

  /** @throws SandboxUnavailable when the line is full */
  #joinLine(run: Run, { workspaceId, isBackground = false, bytesWithIt = 0 }: RunCaller): Place {
    // Calls of a session wait for each other alone.
    const line = JSON.stringify([isBackground, run.keptSession === undefined ? null : keptSessionKey(run)]);
    return this.#lines.join(workspaceId, line, heldBytes(run) + bytesWithIt);
  }

  /** @returns null when no candidate accepted it within `maxMs`. */
  async #offerToAny(
    candidates: readonly Runner[],
    run: Run,
    caller: RunCaller,
    place: Place,
    maxMs: number,
  ): Promise<RunOutcome | null> {
    const { clock } = this.#ports;
    const sinceMs = clock.now();
    for (const runner of candidates) {
      caller.signal?.throwIfAborted();
      const answer = await this.#offer(runner, run, caller, place);
      if (answer.kind === 'ran') return answer.outcome;
      if (answer.reason === 'no_language')
        throw new SandboxUnavailable(`${run.language} cannot be run at the moment. Please try again.`);
      if (answer.reason === 'no_sessions')
        throw new SandboxUnavailable(
          'Sessions cannot be kept on this machine, which has neither Landlock nor lets file systems be mounted. Send the program without session.keep.',
        );
      if (answer.reason === 'preparing')
        throw new SandboxUnavailable(
          `${run.language} is being prepared on this machine: its standard library is compiled once, which takes about a minute. Please try again.`,
          { retryAfterSeconds: PREPARING_RETRY_SECONDS },
        );
      if (clock.now() - sinceMs >= maxMs) break;
    }
    return null;
  }

  #acquire({ workspaceId, isBackground = false }: RunCaller): boolean {
    const { maxPerWorkspace, maxInBackground } = this.#limits;
    const programs = this.#programs.get(workspaceId) ?? 0;
    if (programs >= (isBackground ? maxInBackground : maxPerWorkspace)) return false;
    this.#programs.set(workspaceId, programs + 1);
    return true;
  }

  #release(workspaceId: string): void {
    const left = (this.#programs.get(workspaceId) ?? 1) - 1;
    if (left > 0) this.#programs.set(workspaceId, left);
    else this.#programs.delete(workspaceId);
  }

  async #candidates(workspaceId: string): Promise<{ candidates: readonly Runner[]; shortage: string }> {
    const known = await this.#known(workspaceId);
    const own = known.filter((runner) => runner.workspaceId === workspaceId);
    const unassigned = known.filter((runner) => runner.workspaceId === null);
    const { maxPerWorkspace, reserve } = this.#limits;
    if (own.length >= maxPerWorkspace) return { candidates: this.#some(own), shortage: ofItsOwn(maxPerWorkspace) };
    const offered = own.length > 0 ? unassigned.slice(0, Math.max(0, unassigned.length - reserve)) : unassigned;
    return { candidates: [...this.#some(own), ...this.#some(offered)], shortage: OF_RUNNERS };
  }

  /** The runner that keeps the session; before there is one, any that may. */
  async #candidatesFor(run: Run, workspaceId: string): Promise<{ candidates: readonly Runner[]; shortage: string }> {
    if (run.keptSession === undefined) return this.#candidates(workspaceId);
    const key = keptSessionKey(run);
    const kept = await this.#ports.registry.keptBy(workspaceId);
    const own = kept.filter(({ session }) => session === key);
    // Of two that started at the same moment always the same one.
    if (own.length > 0)
      return { candidates: own.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, 1), shortage: OF_SESSION };
    const { maxKept } = this.#limits;
    if (kept.length >= maxKept)
      throw new SandboxUnavailable(
        `A workspace may keep ${maxKept} sessions at the same time. End one with DELETE /api/v1/sessions/{session_id}, or wait until one has been idle for 10 minutes.`,
        { retryAfterSeconds: KEPT_RETRY_SECONDS },
      );
    return this.#candidates(workspaceId);
  }

  async endSessions(workspaceId: string, sessionId: string): Promise<boolean> {
    const { registry, client, onRegistryError } = this.#ports;
    const kept = await registry.keptBy(workspaceId);
    const keys = KEPT_LANGUAGES.map((language) => keptSessionKey({ language, keptSession: sessionId }));
    const own = kept.filter(({ session }) => keys.includes(session));
    await Promise.all(
      own.map(async (runner) => {
        await client.endSession(runner, workspaceId).catch(onRegistryError);
        await registry.markDraining(runner).catch(onRegistryError);
      }),
    );
    return own.length > 0;
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
      .slice(0, MAX_OFFERS)
      .map(({ runner }) => runner);
  }

  async #offer(runner: Runner, run: Run, caller: RunCaller, place: Place): Promise<RunnerAnswer> {
    const { registry, client, onRegistryError } = this.#ports;
    const updates: Promise<void>[] = [];
    const record = (update: Promise<void>) => updates.push(update.catch(onRegistryError));
    let isAccepted = false;
    const accepted = () => {
      isAccepted = true;
      caller.onBegun?.();
      place.leave();
      record(registry.markTaken(runner, caller.workspaceId));
      if (run.keptSession !== undefined) record(registry.markKept(runner, caller.workspaceId, keptSessionKey(run)));
    };
    try {
      const answer = await client.run(runner, run, caller, accepted);
      // Updates must arrive in their order.
      await Promise.all(updates);
      if (isDraining(answer)) record(registry.markDraining(runner));
      // A runner that accepted it may refuse it all the same, when its language is not prepared.
      else if (isAccepted) record(registry.markIdle(runner));
      return answer;
    } catch (error) {
      if (isAccepted) record(registry.markDraining(runner));
      throw error;
    } finally {
      // A function is frozen once it has responded: a later update would be lost.
      await Promise.all(updates);
    }
  }
}

function isDraining(answer: RunnerAnswer): boolean {
  return answer.kind === 'ran' ? answer.retires : answer.reason === 'retired' || answer.reason === 'unreachable';
}

const OF_SESSION = 'The session is busy with an earlier call. Please try again.';
const OF_RUNNERS = 'All runners are busy. Please try again.';

const ofItsOwn = (max: number) =>
  `All ${max} runners that a workspace may use at the same time are busy. Please try again.`;
