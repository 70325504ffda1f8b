import type { Worker } from '../shared/worker.ts';
import { EXPORT_WORKSPACE } from './workspace-routes.ts';

export const deliverNoticesWorker = {
  id: 'accounts.deliver-notices',
  doc: { summary: 'Sends the e-mails that wait in the outbox' },
  limits: { timeoutSeconds: 50, memoryMb: 256 },
  access: { tables: { accounts: 'read' }, outbox: 'deliver', mail: true },
} as const satisfies Worker;

export const eraseDataWorker = {
  id: 'accounts.erase-data',
  doc: { summary: 'Erases workspaces whose deletion is due, and what a shorter retention no longer allows' },
  limits: { timeoutSeconds: 15 * 60, memoryMb: 512 },
  access: { tables: { accounts: 'read-write', channels: 'read' }, erasure: true },
} as const satisfies Worker;

export const exportWorkspaceWorker = {
  id: EXPORT_WORKSPACE,
  doc: { summary: 'Writes everything of a workspace into an archive' },
  limits: { timeoutSeconds: 15 * 60, memoryMb: 1024 },
  access: {
    tables: {
      accounts: 'read-write',
      applications: 'read',
      channels: 'read',
      conversations: 'read',
      extractions: 'read',
      knowledge: 'read',
      runs: 'read',
      usage: 'read',
      workflows: 'read',
    },
    exports: 'write',
  },
} as const satisfies Worker;

export const checkLedgerWorker = {
  id: 'accounts.check-ledger',
  doc: { summary: 'Checks that the balances that have changed are the sums of their ledgers' },
  limits: { timeoutSeconds: 15 * 60, memoryMb: 512 },
  access: { tables: { accounts: 'scan' } },
} as const satisfies Worker;

export const rotateSigningKeyWorker = {
  id: 'accounts.rotate-signing-key',
  doc: {
    summary: 'Replaces the key that access tokens are signed with; the former one stays valid until the next time',
  },
  limits: { timeoutSeconds: 30, memoryMb: 256 },
  access: { tables: { accounts: 'read-write' }, signing: 'rotate' },
} as const satisfies Worker;
