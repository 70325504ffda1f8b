import type { Principal } from '../../shared/principal.ts';

/** An open WebSocket. */
export interface Socket {
  readonly connectionId: string;
  /** The credential that it was opened with, encrypted: every message is checked like a request with it. */
  readonly sealedToken: string;
  readonly sourceAddress: string;
  readonly userAgent: string | null;
  /** Of the page that opened it; null: no page did. */
  readonly origin: string | null;
  /** Holders with a limit of open sockets; messages count for the first one. */
  readonly holders: readonly SocketHolder[];
}

export interface SocketHolder {
  readonly name: string;
  readonly max: number;
}

export interface Sockets {
  /** @returns false, with nothing stored, when a holder of it has too many open already. */
  open(socket: Socket): Promise<boolean>;
  find(connectionId: string): Promise<Socket | null>;
  close(connectionId: string): Promise<void>;
  /** Claims the answer of a message. @returns false when it was started before: Lambda may run a function twice for one event. */
  beginAnswer(requestId: string): Promise<boolean>;
}

const MAX_OF_CALLER = 100;
const MAX_OF_VISITOR = 10;
/** Of all visitors of a public token. */
const MAX_OF_TOKEN = 1_000;

export function socketHolders({
  kind,
  id,
  publicAccess,
}: Pick<Principal, 'kind' | 'id' | 'publicAccess'>): SocketHolder[] {
  if (publicAccess === undefined) return [{ name: `${kind}#${id}`, max: MAX_OF_CALLER }];
  return [
    { name: `visitor#${publicAccess.visitor}`, max: MAX_OF_VISITOR },
    { name: `${kind}#${id}`, max: MAX_OF_TOKEN },
  ];
}

/** The way to a client. */
export interface SocketLine {
  /** Resolves when the message is on its way. @throws SocketGone */
  send(connectionId: string, message: object): Promise<void>;
  isOpen(connectionId: string): Promise<boolean>;
  /** Ends the connection; one that is gone is not an error. */
  close(connectionId: string): Promise<void>;
}

export class SocketGone extends Error {
  override name = 'SocketGone';
}

/** API Gateway ends a connection after two hours. */
export const SOCKET_KEPT_SECONDS = 2 * 60 * 60 + 10 * 60;

/** The context that the token of a socket is sealed for. */
export const socketContext = (connectionId: string): string => `socket/${connectionId}`;
