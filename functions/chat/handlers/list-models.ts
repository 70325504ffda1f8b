import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { applications, publicHttp } from '../../wiring/chat/chat.ts';
import { toModelResponses } from '../completions/model-response.ts';
import { applicationIdOf } from '../completions/request.ts';
import { listModelsRoute } from '../completions/routes.ts';
import { findApplication } from '../domain/manage-applications.ts';

const ports = { applications: applications() };

const endpoint = pipeline(listModelsRoute, publicHttp, async ({ principal, params }) => {
  const application = await findApplication(applicationIdOf(principal, params.application_id), ports);
  return { status: 200, body: { object: 'list', data: toModelResponses(application) } };
});

export const handler = bufferedHandler(endpoint);
