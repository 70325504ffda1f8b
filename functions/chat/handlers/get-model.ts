import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { applicationIdOf } from '../completion-request.ts';
import { findApplication } from '../domain/manage-applications.ts';
import { noModel } from '../http-errors.ts';
import { toModelResponses } from '../responses.ts';
import { getModelRoute } from '../routes.ts';
import { applications, publicHttp } from '../wiring.ts';

const ports = { applications: applications() };

const endpoint = pipeline(getModelRoute, publicHttp, async ({ principal, params }) => {
  const application = await findApplication(applicationIdOf(principal, params.application_id), ports);
  const model = toModelResponses(application).find(({ id }) => id === params.model);
  if (model === undefined) throw noModel(params.model);
  return { status: 200, body: model };
});

export const handler = bufferedHandler(endpoint);
