import type { Worker } from '../shared/worker.ts';

export const deliverNoticesWorker = {
  id: 'accounts.deliver-notices',
  doc: { summary: 'Sends the e-mails that wait in the outbox' },
  limits: { timeoutSeconds: 50, memoryMb: 256 },
  access: { tables: { accounts: 'read' }, outbox: 'deliver', mail: true },
} as const satisfies Worker;

export const rotateSigningKeyWorker = {
  id: 'accounts.rotate-signing-key',
  doc: {
    summary: 'Replaces the key that access tokens are signed with; the former one stays valid until the next time',
  },
  limits: { timeoutSeconds: 30, memoryMb: 256 },
  access: { tables: { accounts: 'read-write' }, signing: 'rotate' },
} as const satisfies Worker;
