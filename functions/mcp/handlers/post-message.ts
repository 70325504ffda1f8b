import { environment } from '../../shared/environment.ts';
import { longPollHandler } from '../../shared/http/long-poll-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { http, toolPorts } from '../../wiring/mcp/tools.ts';
import { answerMessage } from '../answer-message.ts';
import { requireKnownOrigin, requireShallow } from '../message-checks.ts';
import { postMessageRoute } from '../routes.ts';
import { Toolset } from '../toolset.ts';

const { SERVICE_VERSION } = environment('SERVICE_VERSION');
const ports = toolPorts();
const origins = http.corsOrigins();

const endpoint = pipeline(postMessageRoute, http, async (request) => {
  const { baseUrl, path, body, headers } = request;
  requireKnownOrigin(headers.origin, [...origins, baseUrl]);
  requireShallow(body);
  const message = { url: new URL(path, baseUrl).href, headers, body };
  return answerMessage(message, new Toolset(request, ports), SERVICE_VERSION);
});

export const handler = longPollHandler(endpoint);
