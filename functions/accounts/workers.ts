import { bucket, table } from '../shared/access.ts';
import type { Worker } from '../shared/worker.ts';
import { EXPORT_WORKSPACE } from './workspace-routes.ts';

export const deliverNoticesWorker = {
  id: 'accounts.deliver-notices',
  doc: { summary: 'Sends the e-mails that wait in the outbox' },
  limits: { timeoutSeconds: 50, memoryMb: 256 },
  access: [table('accounts', 'GetItem', 'Query'), 'outbox:deliver', 'mail'],
} as const satisfies Worker;

export const eraseDataWorker = {
  id: 'accounts.erase-data',
  doc: { summary: 'Erases workspaces whose deletion is due, and what a shorter retention no longer allows' },
  limits: { timeoutSeconds: 15 * 60, memoryMb: 512 },
  access: [
    table('accounts', 'BatchWriteItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('channels', 'Query'),
    'erasure',
  ],
} as const satisfies Worker;

export const exportWorkspaceWorker = {
  id: EXPORT_WORKSPACE,
  doc: { summary: 'Writes everything of a workspace into an archive' },
  limits: { timeoutSeconds: 15 * 60, memoryMb: 1024 },
  access: [
    table('accounts', 'BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'),
    table('applications', 'GetItem', 'Query'),
    table('channels', 'BatchGetItem', 'GetItem', 'Query'),
    table('conversations', 'GetItem', 'Query'),
    table('extractions', 'BatchGetItem', 'GetItem', 'Query'),
    table('knowledge', 'BatchGetItem', 'GetItem', 'Query'),
    table('runs', 'BatchGetItem', 'GetItem', 'Query'),
    table('usage', 'GetItem', 'Query'),
    table('workflows', 'GetItem', 'Query'),
    bucket('runs', 'GetObject'),
    bucket('exports', 'PutObject'),
  ],
} as const satisfies Worker;

export const checkLedgerWorker = {
  id: 'accounts.check-ledger',
  doc: { summary: 'Checks that the balances that have changed are the sums of their ledgers' },
  limits: { timeoutSeconds: 15 * 60, memoryMb: 512 },
  access: [table('accounts', 'GetItem', 'Query')],
} as const satisfies Worker;

export const rotateSigningKeyWorker = {
  id: 'accounts.rotate-signing-key',
  doc: {
    summary: 'Replaces the key that access tokens are signed with; the former one stays valid until the next time',
  },
  limits: { timeoutSeconds: 30, memoryMb: 256 },
  access: [table('accounts', 'GetItem', 'PutItem'), 'signing:rotate'],
} as const satisfies Worker;
