import { dynamoClient } from '../../adapters/dynamodb/client.ts';
import { DynamoExtractions } from '../../adapters/extraction/dynamo-extractions.ts';
import { systemClock } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { Problem } from '../../shared/http/problem.ts';
import { jobs } from '../batch-ports.ts';
import type { BatchJob } from '../domain/batch/job.ts';
import { extractionManners } from '../http-manners.ts';
import { toJobResponse } from '../job-response.ts';
import { getJobRoute } from '../routes.ts';

const { EXTRACTIONS_TABLE } = environment('EXTRACTIONS_TABLE');
const kept = jobs();
const extractions = new DynamoExtractions(dynamoClient(), EXTRACTIONS_TABLE, systemClock);

export const handler = apiHandler(getJobRoute, extractionManners, async ({ caller, params, query }) => {
  const job = await kept.find(caller.workspaceId, params.id);
  if (job === null)
    throw new Problem(404, 'not_found', `Your workspace has no job ${JSON.stringify(params.id.slice(0, 100))}.`);
  const items = query.items === '1' ? await extractions.findAll(caller.workspaceId, extractionIds(job)) : null;
  return { status: 200, body: toJobResponse(job, items) };
});

function extractionIds({ images }: BatchJob): string[] {
  return images.flatMap(({ outcome }) => (outcome?.kind === 'completed' ? [outcome.extractionId] : []));
}
