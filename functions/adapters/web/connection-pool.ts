import type { Agent, ClientRequestArgs } from 'node:http';
import { memoize } from '../../shared/memoize.ts';

/** Longer idle ones may be dead without our knowing: a frozen function does not see a connection end. */
const MAX_IDLE_MS = 30_000;
const MAX_IDLE_CONNECTIONS = 32;

type PooledOptions = ClientRequestArgs & { readonly connection?: string };

/**
 * Connections that are kept for the next request of the same owner to the same addresses. What a name was resolved to is
 * part of their key: a connection to an address that a request may not, or no longer, be sent to is never taken.
 */
export class ConnectionPool {
  readonly #http = memoize(() => new KeptConnections(process.getBuiltinModule('node:http').Agent));
  readonly #https = memoize(() => new KeptConnections(process.getBuiltinModule('node:https').Agent));

  /** The options of a request that may take a kept connection. @param owner of connections that others may not use. */
  optionsFor(url: URL, addresses: readonly string[], owner: string): object {
    const kept = url.protocol === 'https:' ? this.#https() : this.#http();
    return { agent: kept.agent(), connection: `${owner} ${addresses.toSorted().join()}` };
  }
}

class KeptConnections {
  readonly #agent: Agent;
  readonly #idleSince = new WeakMap<object, number>();

  constructor(AgentClass: typeof Agent) {
    // The oldest first: those that are destroyed while they wait are only skipped at that end.
    const options = { keepAlive: true, maxFreeSockets: MAX_IDLE_CONNECTIONS, timeout: MAX_IDLE_MS, scheduling: 'fifo' };
    this.#agent = new AgentClass(options as ConstructorParameters<typeof Agent>[0]);
    const nameOf = this.#agent.getName.bind(this.#agent);
    this.#agent.getName = (request: PooledOptions = {}) => `${nameOf(request)} ${request.connection}`;
    const keep = this.#agent.keepSocketAlive.bind(this.#agent);
    this.#agent.keepSocketAlive = (socket) => {
      this.#idleSince.set(socket, Date.now());
      return keep(socket);
    };
  }

  /** Without connections that have been idle for too long by the clock: timers stand still in a frozen function. */
  agent(): Agent {
    const oldest = Date.now() - MAX_IDLE_MS;
    for (const sockets of Object.values(this.#agent.freeSockets))
      for (const socket of sockets ?? []) if ((this.#idleSince.get(socket) ?? 0) < oldest) socket.destroy();
    return this.#agent;
  }
}
