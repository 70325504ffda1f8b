import type { ExportSource } from '../../accounts/domain/export-workspace.ts';
import { paged } from '../shared/paged.ts';
import { bases, documents } from './bases.ts';

const basesOf = (workspaceId: string) =>
  paged(
    (limit, before: string | null) => bases().list(workspaceId, limit, before),
    ({ baseId }) => baseId,
  );

export const knowledgeSources: readonly ExportSource[] = [
  {
    name: 'knowledge-bases',
    async *records(workspaceId) {
      for await (const base of basesOf(workspaceId)) {
        const { baseId, name, description, createdAt } = base;
        const found = paged(
          (limit, before: string | null) => documents().list(base, limit, before),
          ({ documentId }) => documentId,
        );
        const listed: object[] = [];
        for await (const document of found)
          listed.push({
            documentId: document.documentId,
            title: document.title,
            bytes: document.bytes,
            createdAt: document.createdAt,
          });
        yield { baseId, name, description, createdAt, documents: listed };
      }
    },
  },
];
