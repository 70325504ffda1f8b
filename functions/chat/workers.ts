import { invoke, table } from '../shared/access.ts';
import type { Worker } from '../shared/worker.ts';
import { completeChatRoute, completionAccess } from './completions/routes.ts';
import { ANSWER_MESSAGE, connectSocketRoute } from './sockets/routes.ts';

export const connectSocketWorker = {
  id: 'chat.connect-socket',
  doc: { summary: 'Checks the credential of a new WebSocket' },
  auth: connectSocketRoute.auth,
  limits: connectSocketRoute.limits,
  access: [
    table('applications', 'GetItem'),
    table('conversations', 'DeleteItem', 'GetItem', 'PutItem', 'Query'),
    'secrets:seal',
  ],
} as const satisfies Worker;

export const disconnectSocketWorker = {
  id: 'chat.disconnect-socket',
  doc: { summary: 'Forgets a WebSocket that was closed' },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [table('conversations', 'DeleteItem', 'GetItem')],
} as const satisfies Worker;

export const receiveMessageWorker = {
  id: 'chat.receive-message',
  doc: { summary: 'Takes the messages of WebSockets, and has them answered' },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: [table('conversations', 'DeleteItem', 'GetItem'), invoke(ANSWER_MESSAGE), 'rate-limits', 'sockets'],
} as const satisfies Worker;

export const answerMessageWorker = {
  id: ANSWER_MESSAGE,
  doc: { summary: 'Answers a message of a WebSocket, as the endpoint of completions would' },
  auth: completeChatRoute.auth,
  limits: completeChatRoute.limits,
  access: [...completionAccess, 'sockets'],
} as const satisfies Worker;

/** The functions behind the API of WebSockets, by its routes. */
export const socketWorkers = {
  $connect: connectSocketWorker,
  $disconnect: disconnectSocketWorker,
  $default: receiveMessageWorker,
} as const;
