import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { applications, publicHttp } from '../../wiring/chat/chat.ts';
import { toModelResponses } from '../completions/model-response.ts';
import { applicationIdOf } from '../completions/request.ts';
import { getModelRoute } from '../completions/routes.ts';
import { findApplication } from '../domain/manage-applications.ts';
import { noModel } from '../http-errors.ts';

const ports = { applications: applications() };

const endpoint = pipeline(getModelRoute, publicHttp, async ({ principal, params }) => {
  const application = await findApplication(applicationIdOf(principal, params.application_id), ports);
  const model = toModelResponses(application).find(({ id }) => id === params.model);
  if (model === undefined) throw noModel(params.model);
  return { status: 200, body: model };
});

export const handler = bufferedHandler(endpoint);
