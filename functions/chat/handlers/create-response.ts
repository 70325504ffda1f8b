import { eventStreamHandler } from '../../shared/http/event-stream-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { completePorts } from '../complete-wiring.ts';
import { createResponseRoute } from '../responses-api/routes.ts';
import { responseSteps } from '../responses-api/steps.ts';
import { http } from '../wiring.ts';

const { load, run } = responseSteps(completePorts());

const endpoint = pipeline(
  createResponseRoute,
  {
    ...http,
    load: (request) =>
      load(request, { workspaceId: request.principal.workspaceId, applicationId: request.params.application_id }),
  },
  run,
);

export const handler = eventStreamHandler(endpoint);
