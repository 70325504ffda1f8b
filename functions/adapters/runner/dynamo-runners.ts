import { setTimeout as sleep } from 'node:timers/promises';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Runner, RunnerRegistry } from '../../sandbox/domain/runner-ports.ts';
import { type AvailableLanguage, SandboxUnavailable } from '../../sandbox/domain/sandbox-pool.ts';
import type { KnownRunner, RunnerBook, RunnerTask } from '../../sandbox/domain/tend-runners.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { epochSeconds, RUNNER_LANGUAGES_KEY, RUNNERS_PARTITION, runnerKey } from '../dynamodb/keys.ts';

/** An image changes with a deployment. */
const LANGUAGES_FOR_MS = 60_000;
/** News of a task that has ended may be overtaken by older ones for so long. */
const REMEMBERED_SECONDS = 24 * 60 * 60;
const PAUSE_MS = 100;

/** `url` is there while the task is up. */
interface RunnerItem {
  readonly sk: string;
  readonly url?: string;
  readonly version: number;
  readonly workspaceId?: string;
  readonly takenAtMs?: number;
  readonly overAtMs?: number;
}

/** Runners lie together: they are as many as tasks run, some hundred at most, and one query finds them all. */
export class DynamoRunners implements RunnerRegistry, RunnerBook {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #clock: Clock;
  #languages: { readonly found: readonly AvailableLanguage[]; readonly atMs: number } | null = null;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#client = client;
    this.#table = table;
    this.#clock = clock;
  }

  async all(): Promise<readonly KnownRunner[]> {
    const found: KnownRunner[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await this.#client.send(
        new QueryCommand({
          TableName: this.#table,
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': RUNNERS_PARTITION },
          // A runner that a workspace has just taken is its own at the next look.
          ConsistentRead: true,
          ...(start && { ExclusiveStartKey: start }),
        }),
      );
      found.push(...(Items as RunnerItem[]).flatMap(knownRunner));
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return found;
  }

  async candidates(workspaceId: string): Promise<readonly Runner[]> {
    const all = await this.all();
    return all.filter(
      (runner) => runner.overAtMs === null && (runner.workspaceId === null || runner.workspaceId === workspaceId),
    );
  }

  async languages(): Promise<readonly AvailableLanguage[]> {
    const nowMs = this.#clock.now();
    if (this.#languages !== null && nowMs - this.#languages.atMs < LANGUAGES_FOR_MS) return this.#languages.found;
    const { Item } = await this.#client.send(new GetCommand({ TableName: this.#table, Key: RUNNER_LANGUAGES_KEY }));
    if (Item === undefined)
      throw new SandboxUnavailable('The runners are being started. Please try again in a minute.');
    const found = (Item as { languages: AvailableLanguage[] }).languages;
    this.#languages = { found, atMs: nowMs };
    return found;
  }

  async saveLanguages(languages: readonly AvailableLanguage[]): Promise<void> {
    await this.#client.send(new PutCommand({ TableName: this.#table, Item: { ...RUNNER_LANGUAGES_KEY, languages } }));
  }

  async taken({ id, workspaceId: known }: Runner, workspaceId: string): Promise<void> {
    if (known !== null) return;
    await this.#update(id, {
      UpdateExpression: 'SET workspaceId = :workspaceId, takenAtMs = :nowMs',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(workspaceId)',
      ExpressionAttributeValues: { ':workspaceId': workspaceId, ':nowMs': this.#clock.now() },
    });
  }

  /** Nobody waits for that: who finds none free asks again. */
  async freed(): Promise<void> {}

  async ended({ id }: Runner): Promise<void> {
    await this.#update(id, {
      UpdateExpression: 'SET overAtMs = :nowMs',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(overAtMs)',
      ExpressionAttributeValues: { ':nowMs': this.#clock.now() },
    });
  }

  async change(atMostMs: number): Promise<void> {
    await sleep(Math.min(atMostMs, PAUSE_MS * (0.5 + Math.random())));
  }

  async noteTask({ id, url, version, state }: RunnerTask): Promise<void> {
    if (state === 'starting' || (state === 'up' && url === null)) return;
    const isUp = state === 'up';
    await this.#update(id, {
      UpdateExpression: isUp
        ? 'SET version = :version, #url = :url REMOVE expiresAt'
        : 'SET version = :version, expiresAt = :expiresAt REMOVE #url',
      // At the same version, the later state counts: what is gone does not come back.
      ConditionExpression: `attribute_not_exists(pk) OR version ${isUp ? '<' : '<='} :version`,
      ExpressionAttributeNames: { '#url': 'url' },
      ExpressionAttributeValues: {
        ':version': version,
        ...(isUp ? { ':url': url } : { ':expiresAt': epochSeconds(this.#clock.now()) + REMEMBERED_SECONDS }),
      },
    });
  }

  /** Nothing is written when the condition says that it is no news. */
  async #update(id: string, change: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<void> {
    try {
      await this.#client.send(new UpdateCommand({ TableName: this.#table, Key: runnerKey(id), ...change }));
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
}

function knownRunner({ sk, url, version, workspaceId, takenAtMs, overAtMs }: RunnerItem): KnownRunner[] {
  if (url === undefined) return [];
  return [
    {
      id: sk,
      url,
      version,
      workspaceId: workspaceId ?? null,
      takenAtMs: takenAtMs ?? null,
      overAtMs: overAtMs ?? null,
    },
  ];
}
