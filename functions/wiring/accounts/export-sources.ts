import type { ExportSource } from '../../accounts/domain/export-workspace.ts';
import { workspaceOf } from '../../accounts/domain/manage-workspace.ts';
import { paged } from '../shared/paged.ts';
import { accounts, audit, keyRing, ledgerEntries, usage, workspaces } from './accounts.ts';
import { members } from './auth.ts';

export const accountSources: readonly ExportSource[] = [
  {
    name: 'workspace',
    async *records(workspaceId) {
      yield await workspaceOf(workspaceId, { workspaces: workspaces() });
      const { version, crowd, ...account } = (await accounts().find(workspaceId)) ?? {};
      yield account;
    },
  },
  {
    name: 'members',
    async *records(workspaceId) {
      for (const { userId, email, role, createdAt } of await members().list(workspaceId))
        yield { userId, email, role, createdAt };
      for (const { invitationId, email, role, createdAt } of await members().invitations(workspaceId))
        yield { invitationId, email, role, createdAt };
    },
  },
  {
    name: 'api-keys',
    async *records(workspaceId) {
      for (const { id, name, scopes, createdAt, lastUsedAt, validUntil } of (await keyRing().keysOf(workspaceId)).keys)
        yield { id, name, scopes, createdAt, lastUsedAt, validUntil };
    },
  },
  { name: 'ledger', records: ledgerEntries },
  {
    name: 'usage',
    records: (workspaceId) => usage().counts(workspaceId, '0000-01-01', '9999-12-31'),
  },
  {
    name: 'audit',
    records: (workspaceId) =>
      paged(
        (limit, before: string | null) => audit().entries(workspaceId, limit, before),
        ({ auditId }) => auditId,
      ),
  },
];
