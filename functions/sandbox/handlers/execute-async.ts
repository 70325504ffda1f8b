import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { keyIdOf } from '../../shared/principal.ts';
import { http, submitPorts } from '../../wiring/sandbox/sandbox.ts';
import { withUploads } from '../domain/input-uploads.ts';
import { submit } from '../domain/submit.ts';
import { toExecutionResponse, toSentRequest } from '../responses.ts';
import { executeAsyncRoute } from '../routes.ts';

const ports = submitPorts();

/** A new execution has no files. */
const NO_LINKS = { link: () => Promise.reject(new Error('There are no files.')) };

const endpoint = pipeline(executeAsyncRoute, http, async ({ principal, body }) => {
  const { workspaceId } = principal;
  const [request] = await withUploads([toSentRequest(body)], workspaceId, ports);
  const execution = await submit({ workspaceId, keyId: keyIdOf(principal) }, request!, ports);
  return { status: 200, body: await toExecutionResponse(execution, null, NO_LINKS) };
});

export const handler = bufferedHandler(endpoint);
