import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { extractionLists, http } from '../../wiring/extraction/extraction.ts';
import { listJobsRoute } from '../routes.ts';

const lists = extractionLists();

const endpoint = pipeline(listJobsRoute, http, async ({ principal, query: { cursor, limit } }) => {
  const { entries, nextCursor } = await lists.jobs(principal.workspaceId, { limit, before: cursor ?? null });
  return { status: 200, body: { jobs: entries, nextCursor } };
});

export const handler = bufferedHandler(endpoint);
