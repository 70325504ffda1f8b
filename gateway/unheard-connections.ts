import type { Socket } from 'node:net';
import type { Clock } from '../functions/shared/ports/clock.ts';

export interface UnheardLimits {
  /** Connections of one address without a request; where there are more, those that have been open for `patienceMs` are closed. */
  readonly many: number;
  /** Further connections of the address are closed at once. */
  readonly most: number;
  readonly patienceMs: number;
}

/** A burst of clients opens hundreds of connections, and sends its requests within moments. */
export const UNHEARD_LIMITS: UnheardLimits = { many: 64, most: 1_024, patienceMs: 3_000 };

/** Connections that have not sent the headers of their first request: half a request costs its sender nothing. */
export class UnheardConnections {
  readonly #limits: UnheardLimits;
  readonly #clock: Clock;
  /** By address, in the order of opening. */
  readonly #openedMs = new Map<string, Map<Socket, number>>();

  constructor(clock: Clock, limits = UNHEARD_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Counts a connection until it is heard or closed, and closes those that are too many. */
  opened(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const { many, most } = this.#limits;
    const open = this.#openedMs.get(remoteAddress) ?? new Map<Socket, number>();
    if (open.size >= many) this.#closeOld(open);
    if (open.size >= most) return void socket.destroy();
    this.#openedMs.set(remoteAddress, open.set(socket, this.#clock.now()));
    socket.once('close', () => this.#forget(remoteAddress, socket));
  }

  /** A request of the connection has come. */
  heard(socket: Socket): void {
    this.#forget(socket.remoteAddress ?? '', socket);
  }

  #closeOld(open: Map<Socket, number>): void {
    const untilMs = this.#clock.now() - this.#limits.patienceMs;
    for (const [socket, openedMs] of open) {
      if (openedMs > untilMs) return;
      open.delete(socket);
      socket.destroy();
    }
  }

  #forget(address: string, socket: Socket): void {
    const open = this.#openedMs.get(address);
    open?.delete(socket);
    if (open?.size === 0) this.#openedMs.delete(address);
  }
}
