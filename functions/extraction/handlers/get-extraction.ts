import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { extractions, http, reviews } from '../../wiring/extraction/extraction.ts';
import { shownLabels } from '../domain/labels.ts';
import { notFound } from '../http-errors.ts';
import { toFindingResponses, toItemResponses } from '../item-responses.ts';
import { getExtractionRoute } from '../routes.ts';

const stored = extractions();
const reviewed = reviews();

const endpoint = pipeline(getExtractionRoute, http, async ({ principal, params, language }) => {
  const [found, review] = await Promise.all([
    stored.find(principal.workspaceId, params.id),
    reviewed.find(principal.workspaceId, params.id),
  ]);
  if (found === null) throw notFound('extraction', params.id);
  const { extractionId, createdAt, expiresAt, page, origin } = found;
  const { documentType, foundTable, geometry, summary, meta, places = null, placeFields = null } = page;
  const items = toItemResponses(page, language);
  const read = { extractionId, documentType, foundTable, geometry, items, summary, meta };
  const findings = toFindingResponses(page);
  return {
    status: 200,
    body: { ...read, ...shownLabels(origin?.labels), createdAt, expiresAt, places, placeFields, findings, review },
  };
});

export const handler = bufferedHandler(endpoint);
