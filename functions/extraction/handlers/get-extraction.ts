import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { notFound } from '../http-errors.ts';
import { getExtractionRoute } from '../routes.ts';
import { extractions, http } from '../wiring.ts';

const stored = extractions();

const endpoint = pipeline(getExtractionRoute, http, async ({ principal, params }) => {
  const found = await stored.find(principal.workspaceId, params.id);
  if (found === null) throw notFound('extraction', params.id);
  const { documentType, foundTable, geometry, items, summary } = found.page;
  return {
    status: 200,
    body: { extractionId: found.extractionId, documentType, foundTable, geometry, items, summary },
  };
});

export const handler = bufferedHandler(endpoint);
