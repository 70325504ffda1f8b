/** An open WebSocket. */
export interface Socket {
  readonly connectionId: string;
  /** What it was opened with, encrypted: every message is checked as a request with it would be. */
  readonly sealedToken: string;
  readonly sourceAddress: string;
  readonly userAgent: string | null;
  /** Of the page that opened it; null: no page did. */
  readonly origin: string | null;
}

export interface Sockets {
  open(socket: Socket): Promise<void>;
  find(connectionId: string): Promise<Socket | null>;
  close(connectionId: string): Promise<void>;
}

/** The way to a client. */
export interface SocketLine {
  /** Resolves when the message is on its way. @throws SocketGone */
  send(connectionId: string, message: object): Promise<void>;
  isOpen(connectionId: string): Promise<boolean>;
}

export class SocketGone extends Error {
  override name = 'SocketGone';
}

/** API Gateway ends a connection after two hours. */
export const SOCKET_KEPT_SECONDS = 2 * 60 * 60 + 10 * 60;

/** The context that the token of a socket is sealed for. */
export const socketContext = (connectionId: string): string => `socket/${connectionId}`;
