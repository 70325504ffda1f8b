import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { clock, extractions, http, reviews } from '../../wiring/extraction/extraction.ts';
import { reviewChanged, reviewed } from '../domain/review.ts';
import { notFound } from '../http-errors.ts';
import { putReviewRoute } from '../routes.ts';

const stored = extractions();
const store = reviews();

const endpoint = pipeline(putReviewRoute, http, async ({ principal, params, body }) => {
  const { workspaceId } = principal;
  const extraction = await stored.find(workspaceId, params.id);
  if (extraction === null) throw notFound('extraction', params.id);
  const current = await store.find(workspaceId, params.id);
  const by = { kind: principal.kind === 'user' ? 'user' : 'key', id: principal.id } as const;
  const review = reviewed(extraction.page, current, body, by, new Date(clock.now()).toISOString());
  if (!(await store.save(extraction, review))) throw reviewChanged(review.version);
  return { status: 200, body: review };
});

export const handler = bufferedHandler(endpoint);
