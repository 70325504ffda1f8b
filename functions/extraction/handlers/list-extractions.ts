import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { extractionLists, http } from '../../wiring/extraction/extraction.ts';
import { listExtractionsRoute } from '../routes.ts';

const lists = extractionLists();

const endpoint = pipeline(listExtractionsRoute, http, async ({ principal, query: { cursor, ...query } }) => {
  const { entries, nextCursor } = await lists.extractions(principal.workspaceId, { ...query, before: cursor ?? null });
  return { status: 200, body: { extractions: entries, nextCursor } };
});

export const handler = bufferedHandler(endpoint);
