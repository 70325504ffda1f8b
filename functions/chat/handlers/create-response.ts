import { eventStreamHandler } from '../../shared/http/event-stream-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http } from '../../wiring/chat/chat.ts';
import { completePorts } from '../../wiring/chat/complete.ts';
import { applicationIdOf } from '../completions/request.ts';
import { createResponseRoute } from '../responses-api/routes.ts';
import { responseSteps } from '../responses-api/steps.ts';

const { load, run } = responseSteps(completePorts());

const endpoint = pipeline(
  createResponseRoute,
  {
    ...http,
    load: ({ principal, params, body }) => load({ principal, body }, applicationIdOf(principal, params.application_id)),
    loadAhead: (principal, { params, body }) =>
      load({ principal, body }, applicationIdOf(principal, params.application_id)),
  },
  run,
);

export const handler = eventStreamHandler(endpoint);
