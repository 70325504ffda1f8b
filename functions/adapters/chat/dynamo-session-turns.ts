import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SessionId } from '../../chat/domain/conversations.ts';
import {
  MAX_TURN_WAIT_MS,
  MAX_WAITING_TURNS,
  type SessionTurns,
  tooManyWaiting,
  waitedTooLong,
} from '../../chat/domain/session-turns.ts';
import type { Backoff } from '../../shared/ports/backoff.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { ABSENT, equal } from '../dynamodb/expressions.ts';
import { epochSeconds } from '../dynamodb/keys.ts';
import { LEASE_SECONDS, renewedLease } from '../dynamodb/renewed-lease.ts';
import { DynamoTable, type Key } from '../dynamodb/table.ts';
import { sessionPartitionOf } from './session-partition.ts';

const MAX_ATTEMPTS = 12;

interface Ticket {
  readonly id: string;
  readonly untilMs: number;
}

interface LineItem {
  /** Another one with each change. */
  readonly version: string;
  readonly tickets: readonly Ticket[];
}

interface TurnPorts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly backoff: Backoff;
  /** Time between two polls of the line. */
  readonly pause: { wait(signal: AbortSignal): Promise<void> };
}

/** An item for each session with messages under way: their tickets in the order of arrival. The message of the first one is answered. */
export class DynamoSessionTurns implements SessionTurns {
  readonly #table: DynamoTable;
  readonly #ports: TurnPorts;

  constructor(client: DynamoDBDocumentClient, table: string, ports: TurnPorts) {
    this.#table = new DynamoTable(client, table);
    this.#ports = ports;
  }

  async takeTurn(session: SessionId, signal: AbortSignal): Promise<() => Promise<void>> {
    const { clock, ids, pause } = this.#ports;
    const key = { pk: sessionPartitionOf(session), sk: 'LINE' };
    const id = ids.next('turn');
    const untilMs = clock.now() + MAX_TURN_WAIT_MS;
    let tickets = await this.#changeLine(key, (before) => {
      if (before.length > MAX_WAITING_TURNS) throw tooManyWaiting();
      return [...before, this.#ticket(id)];
    });
    const letGo = renewedLease(() =>
      this.#changeLine(key, (before) => before.map((each) => (each.id === id ? this.#ticket(id) : each))),
    );
    const leave = async () => {
      letGo();
      // A ticket that cannot be taken out is out when its lease has ended.
      await this.#changeLine(key, (before) => before.filter((each) => each.id !== id)).catch(() => undefined);
    };
    try {
      while (tickets[0]?.id !== id) {
        // It has expired, as after a long pause of this process.
        if (clock.now() >= untilMs || !tickets.some((each) => each.id === id)) throw waitedTooLong();
        await pause.wait(signal);
        signal.throwIfAborted();
        tickets = this.#liveTickets(await this.#table.get<LineItem>(key));
      }
    } catch (error) {
      await leave();
      throw error;
    }
    return leave;
  }

  /** Changes the line of a session, on the condition that nothing else has changed it. @returns it afterwards. */
  async #changeLine(key: Key, changed: (tickets: readonly Ticket[]) => readonly Ticket[]): Promise<readonly Ticket[]> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const item = await this.#table.get<LineItem>(key);
      const tickets = changed(this.#liveTickets(item));
      const isUnchanged = item === null ? ABSENT : equal('version', item.version);
      if (await this.#storeLine(key, tickets, isUnchanged)) return tickets;
      await this.#ports.backoff.wait(attempt);
    }
    throw new Error('Too many changes of one session’s line at once.');
  }

  async #storeLine(key: Key, tickets: readonly Ticket[], isUnchanged: typeof ABSENT): Promise<boolean> {
    if (tickets.length === 0) return this.#table.delete(key, isUnchanged);
    const expiresAt = epochSeconds(Math.max(...tickets.map(({ untilMs }) => untilMs)));
    const version = this.#ports.ids.next('line');
    return (await this.#table.put({ ...key, version, tickets, expiresAt }, isUnchanged)).written;
  }

  #ticket(id: string): Ticket {
    return { id, untilMs: this.#ports.clock.now() + LEASE_SECONDS * 1_000 };
  }

  #liveTickets(item: LineItem | null): readonly Ticket[] {
    return (item?.tickets ?? []).filter(({ untilMs }) => untilMs > this.#ports.clock.now());
  }
}
