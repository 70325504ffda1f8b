import { eventStreamHandler } from '../../shared/http/event-stream-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { publicHttp } from '../../wiring/chat/chat.ts';
import { completePorts } from '../../wiring/chat/complete.ts';
import { applicationIdOf, onlyReads } from '../completions/request.ts';
import { completeChatRoute } from '../completions/routes.ts';
import { completionSteps } from '../completions/steps.ts';

const { load, run } = completionSteps(completePorts());

const endpoint = pipeline(
  completeChatRoute,
  {
    ...publicHttp,
    load: (request) => load(request, applicationIdOf(request.principal, request.params.application_id)),
    loadAhead: (principal, { params, headers, body }) =>
      onlyReads(headers) ? load({ principal, headers, body }, applicationIdOf(principal, params.application_id)) : null,
  },
  run,
);

export const handler = eventStreamHandler(endpoint);
