import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SOCKET_KEPT_SECONDS, type Socket, type Sockets } from '../../chat/domain/sockets.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { epochSeconds, socketKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** Open sockets, an item each, beside the conversations. */
export class DynamoSockets implements Sockets {
  readonly #table: DynamoTable;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async open(socket: Socket): Promise<void> {
    const expiresAt = epochSeconds(this.#clock.now()) + SOCKET_KEPT_SECONDS;
    await this.#table.put({ ...socketKey(socket.connectionId), ...socket, expiresAt });
  }

  async find(connectionId: string): Promise<Socket | null> {
    const item = await this.#table.get<Socket>(socketKey(connectionId));
    if (item === null) return null;
    const { sealedToken, sourceAddress, userAgent, origin = null } = item;
    return { connectionId, sealedToken, sourceAddress, userAgent, origin };
  }

  async close(connectionId: string): Promise<void> {
    await this.#table.delete(socketKey(connectionId));
  }
}
