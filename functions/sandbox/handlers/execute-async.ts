import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { keyIdOf } from '../../shared/principal.ts';
import { submit } from '../domain/submit.ts';
import { toExecutionRequest, toExecutionResponse } from '../responses.ts';
import { executeAsyncRoute } from '../routes.ts';
import { http, submitPorts } from '../wiring.ts';

const ports = submitPorts();

/** A new execution has no files. */
const NO_LINKS = { link: () => Promise.reject(new Error('There are no files.')) };

const endpoint = pipeline(executeAsyncRoute, http, async ({ principal, body }) => {
  const execution = await submit(
    { workspaceId: principal.workspaceId, keyId: keyIdOf(principal) },
    toExecutionRequest(body),
    ports,
  );
  return { status: 200, body: await toExecutionResponse(execution, null, NO_LINKS) };
});

export const handler = bufferedHandler(endpoint);
