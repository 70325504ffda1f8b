import type { ExportSource } from '../../accounts/domain/export-workspace.ts';
import { chunks } from '../../shared/chunks.ts';
import { ledgerEntries } from '../accounts/accounts.ts';
import { extractions, jobs } from './extraction.ts';

/** Stored pages of one query. */
const EXTRACTIONS_AT_ONCE = 25;

export const extractionSources: readonly ExportSource[] = [
  { name: 'extractions', records: extractionsOf },
  {
    name: 'jobs',
    async *records(workspaceId) {
      for await (const jobId of jobs().ids(workspaceId)) {
        const job = await jobs().find(workspaceId, jobId);
        if (job !== null)
          yield { ...job.head, images: job.images.map(({ index, place, outcome }) => ({ index, place, outcome })) };
      }
    },
  },
];

/** Those of busy moments are found by their entries in the ledger alone. */
async function* extractionsOf(workspaceId: string) {
  const ids = new Set<string>();
  for await (const id of extractions().ids(workspaceId)) ids.add(id);
  for await (const { kind, reference } of ledgerEntries(workspaceId))
    if (kind === 'extraction' && reference !== null) ids.add(reference);
  for (const some of chunks([...ids], EXTRACTIONS_AT_ONCE)) {
    for (const { extractionId, createdAt, page, origin } of (await extractions().findAll(workspaceId, some)).values())
      yield { extractionId, createdAt, ...origin?.labels, ...page };
  }
}
