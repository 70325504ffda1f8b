import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SOCKET_KEPT_SECONDS, type Socket, type SocketHolder, type Sockets } from '../../chat/domain/sockets.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { ABSENT, above } from '../dynamodb/expressions.ts';
import { epochSeconds, heldSocketKey, heldSocketsPartition, socketAnswerKey, socketKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** Lambda delivers an event a second time within hours, at most. */
const ANSWER_KEPT_SECONDS = 24 * 60 * 60;

/** Open sockets, an item each, in the table of conversations, with pointers from their holders. */
export class DynamoSockets implements Sockets {
  readonly #table: DynamoTable;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  /** Each is counted after it is stored: of those that open at once, too many never stay. */
  async open(socket: Socket): Promise<boolean> {
    const { connectionId, holders } = socket;
    const expiresAt = this.#nowSeconds() + SOCKET_KEPT_SECONDS;
    await Promise.all([
      this.#table.put({ ...socketKey(connectionId), ...socket, expiresAt }),
      ...holders.map(({ name }) => this.#table.put({ ...heldSocketKey(name, connectionId), expiresAt })),
    ]);
    const fits = await Promise.all(holders.map((holder) => this.#fits(holder)));
    if (fits.every(Boolean)) return true;
    await this.#remove(connectionId, holders);
    return false;
  }

  async find(connectionId: string): Promise<Socket | null> {
    const item = await this.#table.get<Partial<Socket> & Socket>(socketKey(connectionId));
    if (item === null) return null;
    // Sockets that were opened before an upgrade lack what came later.
    const { sealedToken, sourceAddress, userAgent, origin = null, holders = [] } = item;
    return { connectionId, sealedToken, sourceAddress, userAgent, origin, holders };
  }

  async close(connectionId: string): Promise<void> {
    const socket = await this.find(connectionId);
    if (socket !== null) await this.#remove(connectionId, socket.holders);
  }

  async beginAnswer(requestId: string): Promise<boolean> {
    const expiresAt = this.#nowSeconds() + ANSWER_KEPT_SECONDS;
    return (await this.#table.put({ ...socketAnswerKey(requestId), expiresAt }, ABSENT)).written;
  }

  async #fits({ name, max }: SocketHolder): Promise<boolean> {
    let open = 0;
    const query = { partition: heldSocketsPartition(name), filter: above('expiresAt', this.#nowSeconds()) };
    for await (const _ of this.#table.query(query)) if (++open > max) return false;
    return true;
  }

  async #remove(connectionId: string, holders: readonly SocketHolder[]): Promise<void> {
    await Promise.all([
      this.#table.delete(socketKey(connectionId)),
      ...holders.map(({ name }) => this.#table.delete(heldSocketKey(name, connectionId))),
    ]);
  }

  #nowSeconds(): number {
    return epochSeconds(this.#clock.now());
  }
}
