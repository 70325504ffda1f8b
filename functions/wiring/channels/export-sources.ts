import type { ExportSource } from '../../accounts/domain/export-workspace.ts';
import { paged } from '../shared/paged.ts';
import { channels } from './channels.ts';

export const channelSources: readonly ExportSource[] = [
  {
    name: 'channels',
    async *records(workspaceId) {
      const found = paged(
        (limit, before: string | null) => channels().list(workspaceId, limit, before),
        ({ channelId }) => channelId,
      );
      for await (const { channelId, type, name, applicationId, status, createdAt } of found)
        yield { channelId, type, name, applicationId, status, createdAt };
    },
  },
];
