import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LiveSessions, Session, Sessions } from '../../accounts/domain/session.ts';
import type { User } from '../../accounts/domain/user.ts';
import { chunks } from '../../shared/chunks.ts';
import { equal } from '../dynamodb/expressions.ts';
import { epochSeconds, sessionKey, sessionsOfUser, signedInUserKey, userSessionKey } from '../dynamodb/keys.ts';
import { DynamoTable, type Item, type Key } from '../dynamodb/table.ts';
import { userOf } from './dynamo-users.ts';

/** Longer than any access token outlives the last refresh of its session. */
const KEPT_SECONDS = 24 * 60 * 60;
/** A session that is refreshed for longer is no longer listed. */
const LISTED_SECONDS = 400 * 24 * 60 * 60;
/** Limit of BatchGetItem. */
const MAX_KEYS_PER_READ = 100;

export class DynamoSessions implements Sessions, LiveSessions {
  readonly #table: DynamoTable;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#table = new DynamoTable(client, table);
  }

  async find(sessionId: string): Promise<Session | null> {
    const item = await this.#table.get(sessionKey(sessionId));
    return item && sessionOf(item);
  }

  async findWithUser(
    sessionId: string,
    userId: string,
  ): Promise<{ readonly session: Session; readonly user: User } | null> {
    const sessionAt = sessionKey(sessionId);
    const items = await this.#table.getAll([sessionAt, signedInUserKey(userId)]);
    const session = items.find(({ pk }) => pk === sessionAt.pk);
    const user = items.find(({ pk }) => pk !== sessionAt.pk);
    return session && user ? { session: sessionOf(session), user: userOf(user) } : null;
  }

  async create(session: Session): Promise<void> {
    const { sessionId, userId, workspaceId, createdAt } = session;
    const pointer = { ...userSessionKey(userId, sessionId), sessionId, userId, workspaceId };
    await Promise.all([
      this.#table.put({ ...sessionKey(sessionId), ...session, expiresAt: expiryOf(session) }),
      this.#table.put({ ...pointer, expiresAt: epochSeconds(Date.parse(createdAt)) + LISTED_SECONDS }),
    ]);
  }

  async rotate(session: Session, replacedHash: string): Promise<boolean> {
    const { refreshHash, refreshExpiresAtMs, rotations } = session;
    return this.#table.update(sessionKey(session.sessionId), {
      set: { refreshHash, refreshExpiresAtMs, rotations, expiresAt: expiryOf(session) },
      // False for a session that has ended too: it must not come back as a stump.
      condition: equal('refreshHash', replacedHash),
    });
  }

  async ofUser(userId: string): Promise<readonly Session[]> {
    const keys: Key[] = [];
    for await (const { sessionId } of this.#table.query<{ sessionId: string }>({ partition: sessionsOfUser(userId) }))
      keys.push(sessionKey(sessionId));
    const found = await Promise.all(chunks(keys, MAX_KEYS_PER_READ).map((some) => this.#table.getAll(some)));
    return found.flat().map(sessionOf);
  }

  async end(sessionId: string): Promise<void> {
    await this.#table.delete(sessionKey(sessionId));
  }
}

function expiryOf({ refreshExpiresAtMs, cookieExpiresAtMs }: Session): number {
  return epochSeconds(Math.max(refreshExpiresAtMs, cookieExpiresAtMs)) + KEPT_SECONDS;
}

function sessionOf({ pk, sk, expiresAt, ...session }: Item): Session {
  return session as unknown as Session;
}
