import type { Worker } from '../shared/worker.ts';

export const deliverNoticesWorker = {
  id: 'accounts.deliver-notices',
  doc: { summary: 'Sends the low-balance e-mails that wait in the outbox' },
  limits: { timeoutSeconds: 50, memoryMb: 256 },
  access: { tables: { accounts: 'read' }, outbox: true, mail: true },
} as const satisfies Worker;
