import type { Worker } from '../shared/worker.ts';
import { completeChatRoute } from './completions/routes.ts';
import { ANSWER_MESSAGE, connectSocketRoute } from './sockets/routes.ts';

export const indexDocumentWorker = {
  id: 'chat.index-document',
  doc: { summary: 'Indexes the documents of knowledge bases, one message each, and cleans up their indexes' },
  // Shorter than the queue's visibility time-out: a message is delivered again only after its worker has ended.
  limits: { timeoutSeconds: 5 * 60, memoryMb: 3008 },
  access: {
    tables: { accounts: 'read', knowledge: 'read-write' },
    uploads: 'read-remove',
    knowledge: 'read-write',
    queues: { knowledge: 'consume' },
    secrets: 'open',
    chatModels: true,
    pdf: 'scans',
  },
} as const satisfies Worker;

export const failDocumentWorker = {
  id: 'chat.fail-document',
  doc: { summary: 'Fails the documents that were tried too often' },
  limits: { timeoutSeconds: 25, memoryMb: 256 },
  access: { tables: { knowledge: 'read-write' }, queues: { knowledge: 'consume-dead-letters' } },
} as const satisfies Worker;

export const reconcileDocumentsWorker = {
  id: 'chat.reconcile-documents',
  doc: { summary: 'Queues or fails the documents that a crash left behind, and has indexes cleaned up' },
  limits: { timeoutSeconds: 5 * 60, memoryMb: 256 },
  access: { tables: { knowledge: 'read-write' }, queues: { knowledge: 'send' } },
} as const satisfies Worker;

export const crawlSourcesWorker = {
  id: 'chat.crawl-sources',
  doc: { summary: 'Reads the sources of knowledge bases, a workspace after the other' },
  limits: { timeoutSeconds: 3 * 60, memoryMb: 512 },
  access: {
    tables: { accounts: 'read', knowledge: 'read-write' },
    uploads: 'read-write',
    sources: 'read',
    queues: { crawls: 'consume-and-send', knowledge: 'send' },
  },
} as const satisfies Worker;

export const failCrawlWorker = {
  id: 'chat.fail-crawl',
  doc: { summary: 'Counts the workspaces whose sources could not be read' },
  limits: { timeoutSeconds: 25, memoryMb: 256 },
  access: { queues: { crawls: 'consume-dead-letters' } },
} as const satisfies Worker;

export const reconcileSourcesWorker = {
  id: 'chat.reconcile-sources',
  doc: { summary: 'Queues the workspaces whose sources are due, by their schedule or after a crash' },
  limits: { timeoutSeconds: 60, memoryMb: 256 },
  access: { tables: { knowledge: 'read' }, queues: { crawls: 'send' } },
} as const satisfies Worker;

export const connectSocketWorker = {
  id: 'chat.connect-socket',
  doc: { summary: 'Checks the credential of a new WebSocket' },
  auth: connectSocketRoute.auth,
  limits: connectSocketRoute.limits,
  access: { tables: { applications: 'read', conversations: 'read-write' }, secrets: 'seal' },
} as const satisfies Worker;

export const disconnectSocketWorker = {
  id: 'chat.disconnect-socket',
  doc: { summary: 'Forgets a WebSocket that was closed' },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: { tables: { conversations: 'read-write' } },
} as const satisfies Worker;

export const receiveMessageWorker = {
  id: 'chat.receive-message',
  doc: { summary: 'Takes the messages of WebSockets, and has them answered' },
  limits: { timeoutSeconds: 20, memoryMb: 256 },
  access: { invokes: [ANSWER_MESSAGE], sockets: true, rateLimits: true, tables: { conversations: 'read-write' } },
} as const satisfies Worker;

export const answerMessageWorker = {
  id: ANSWER_MESSAGE,
  doc: { summary: 'Answers a message of a WebSocket, as the endpoint of completions would' },
  auth: completeChatRoute.auth,
  limits: completeChatRoute.limits,
  access: { ...completeChatRoute.access, sockets: true },
} as const satisfies Worker;

/** The functions behind the API of WebSockets, by its routes. */
export const socketWorkers = {
  $connect: connectSocketWorker,
  $disconnect: disconnectSocketWorker,
  $default: receiveMessageWorker,
} as const;
