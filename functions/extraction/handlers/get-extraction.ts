import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoExtractions } from '../../adapters/extraction/dynamo-extractions.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { Problem } from '../../shared/http/problem.ts';
import { extractionManners } from '../http-manners.ts';
import { getExtractionRoute } from '../routes.ts';

const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
const extractions = new DynamoExtractions(dynamoClient(), EXTRACTIONS_TABLE, systemClock);

export const handler = apiHandler(getExtractionRoute, extractionManners, async ({ caller, params }) => {
  const found = await extractions.find(caller.workspaceId, params.id);
  if (found === null)
    throw new Problem(404, 'not_found', `Your workspace has no extraction ${JSON.stringify(params.id.slice(0, 100))}.`);
  const { documentType, foundTable, geometry, items, summary } = found.page;
  return {
    status: 200,
    body: { extractionId: found.extractionId, documentType, foundTable, geometry, items, summary },
  };
});
