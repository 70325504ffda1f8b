import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { KnownRunner, RunnerStore, RunnerTask } from '../../sandbox/domain/reconcile-pool.ts';
import type { KeptRunner, Runner, RunnerRegistry } from '../../sandbox/domain/runner-ports.ts';
import { type AvailableLanguage, SandboxUnavailable } from '../../sandbox/domain/sandbox-pool.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { ABSENT, and, atMost, below, equal, missing, or } from '../dynamodb/expressions.ts';
import { epochSeconds, RUNNER_LANGUAGES_KEY, RUNNERS_PARTITION, runnerKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';
import { turnOrTime } from './turn-or-time.ts';

/** An image changes with a deployment. */
const LANGUAGES_FOR_MS = 60_000;
/** Events about a task that has ended may arrive late, after the one about its end, for so long. */
const REMEMBERED_SECONDS = 24 * 60 * 60;
const POLL_INTERVAL_MS = 100;

/** `url` is set while the task is up. */
interface RunnerItem {
  readonly sk: string;
  readonly url?: string;
  readonly version: number;
  readonly workspaceId?: string;
  readonly session?: string;
  readonly takenAtMs?: number;
  readonly drainingSinceMs?: number;
}

/** Runners share a partition: they are as many as tasks run, some hundred at most, and one query finds them all. */
export class DynamoRunners implements RunnerRegistry, RunnerStore {
  readonly #table: DynamoTable;
  readonly #clock: Clock;
  #languages: { readonly found: readonly AvailableLanguage[]; readonly atMs: number } | null = null;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async all(): Promise<readonly KnownRunner[]> {
    const found: KnownRunner[] = [];
    for await (const item of this.#table.query<RunnerItem>({ partition: RUNNERS_PARTITION }))
      found.push(...knownRunner(item));
    return found;
  }

  async candidates(workspaceId: string): Promise<readonly Runner[]> {
    const all = await this.all();
    return all.filter(
      (runner) =>
        runner.drainingSinceMs === null &&
        runner.session === null &&
        (runner.workspaceId === null || runner.workspaceId === workspaceId),
    );
  }

  async keptBy(workspaceId: string): Promise<readonly KeptRunner[]> {
    const all = await this.all();
    return all.flatMap(({ id, url, session, drainingSinceMs, workspaceId: owner }) =>
      session !== null && drainingSinceMs === null && owner === workspaceId ? [{ id, url, session, workspaceId }] : [],
    );
  }

  async markKept({ id }: Runner, workspaceId: string, session: string): Promise<void> {
    await this.#table.update(runnerKey(id), {
      set: { workspaceId, session },
      condition: and(missing('session'), or(missing('workspaceId'), equal('workspaceId', workspaceId))),
    });
  }

  async languages(): Promise<readonly AvailableLanguage[]> {
    const nowMs = this.#clock.now();
    if (this.#languages !== null && nowMs - this.#languages.atMs < LANGUAGES_FOR_MS) return this.#languages.found;
    const item = await this.#table.get<{ languages: AvailableLanguage[] }>(RUNNER_LANGUAGES_KEY, { consistent: false });
    if (item === null) throw new SandboxUnavailable('The runners are being started. Please try again in a minute.');
    this.#languages = { found: item.languages, atMs: nowMs };
    return item.languages;
  }

  async saveLanguages(languages: readonly AvailableLanguage[]): Promise<void> {
    await this.#table.put({ ...RUNNER_LANGUAGES_KEY, languages });
  }

  async markTaken({ id, workspaceId: known }: Runner, workspaceId: string): Promise<void> {
    if (known !== null) return;
    await this.#table.update(runnerKey(id), {
      set: { workspaceId, takenAtMs: this.#clock.now() },
      condition: missing('workspaceId'),
    });
  }

  /** Nothing is recorded: a dispatcher that finds no idle runner polls. */
  async markIdle(): Promise<void> {}

  async markDraining({ id }: Runner): Promise<void> {
    await this.#table.update(runnerKey(id), {
      set: { drainingSinceMs: this.#clock.now() },
      condition: missing('drainingSinceMs'),
    });
  }

  async waitForChange(maxMs: number, turn: Promise<void> | null): Promise<void> {
    if (turn !== null) return turnOrTime(turn, maxMs);
    await sleep(Math.min(maxMs, POLL_INTERVAL_MS * (0.5 + Math.random())));
  }

  async recordTask({ id, url, version, state }: RunnerTask): Promise<void> {
    if (state === 'starting' || (state === 'up' && url === null)) return;
    const expiresAt = epochSeconds(this.#clock.now()) + REMEMBERED_SECONDS;
    await this.#table.update(
      runnerKey(id),
      state === 'up'
        ? {
            orCreate: true,
            set: { version, url },
            remove: ['expiresAt'],
            condition: or(ABSENT, below('version', version)),
          }
        : // At the same version, the later state counts: a task that is gone does not come back.
          {
            orCreate: true,
            set: { version, expiresAt },
            remove: ['url'],
            condition: or(ABSENT, atMost('version', version)),
          },
    );
  }
}

function knownRunner({
  sk,
  url,
  version,
  workspaceId,
  session,
  takenAtMs,
  drainingSinceMs,
}: RunnerItem): KnownRunner[] {
  if (url === undefined) return [];
  return [
    {
      id: sk,
      url,
      version,
      workspaceId: workspaceId ?? null,
      session: session ?? null,
      takenAtMs: takenAtMs ?? null,
      drainingSinceMs: drainingSinceMs ?? null,
    },
  ];
}
