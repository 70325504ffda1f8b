import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { extractions, http, jobs } from '../../wiring/extraction/extraction.ts';
import type { BatchJob } from '../domain/batch/job.ts';
import { notFound } from '../http-errors.ts';
import { toJobResponse } from '../job-response.ts';
import { getJobRoute } from '../routes.ts';

const storedJobs = jobs();
const storedExtractions = extractions();

const endpoint = pipeline(getJobRoute, http, async ({ principal, params, query, language }) => {
  const { workspaceId } = principal;
  const job = await storedJobs.find(workspaceId, params.id);
  if (job === null) throw notFound('job', params.id);
  const items = query.items === '1' ? await storedExtractions.findAll(workspaceId, extractionIds(job)) : null;
  return { status: 200, body: toJobResponse(job, items, language) };
});

export const handler = bufferedHandler(endpoint);

function extractionIds({ images }: BatchJob): string[] {
  return images.flatMap(({ outcome }) => (outcome?.kind === 'completed' ? [outcome.extractionId] : []));
}
