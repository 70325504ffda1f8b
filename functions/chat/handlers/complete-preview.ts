import { eventStreamHandler } from '../../shared/http/event-stream-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { completePreviewRoute } from '../completions/routes.ts';
import { completionSteps } from '../completions/steps.ts';
import { completePorts, http } from '../wiring.ts';

const { load, run } = completionSteps(completePorts());

const endpoint = pipeline(
  completePreviewRoute,
  {
    ...http,
    load: (request) => load(request, { workspaceId: request.principal.workspaceId, applicationId: request.body.model }),
  },
  run,
);

export const handler = eventStreamHandler(endpoint);
