import { invokedHandler } from '../../shared/invoked-function.ts';
import { executePorts } from '../../wiring/sandbox/sandbox.ts';
import { execute } from '../domain/execute.ts';
import { withUploads } from '../domain/input-uploads.ts';
import type { RequestResult, RequestToExecute } from '../execute-request.ts';
import { toProblem } from '../http-errors.ts';
import { toResultResponse, toSentRequest } from '../responses.ts';

/** An answer to another function has at most 6 MB, output included: larger files go by address. */
const MAX_INLINE_BYTES = 2 ** 20;

const ports = executePorts();

export const handler = invokedHandler<RequestToExecute, RequestResult>(
  toProblem,
  async ({ workspaceId, keyId, request }, { deadlineMs, signal, background }) => {
    const [sent] = await withUploads([toSentRequest(request)], workspaceId, ports);
    const caller = { workspaceId, keyId, background, untilMs: deadlineMs, signal, maxInlineBytes: MAX_INLINE_BYTES };
    return toResultResponse(await execute(sent!, caller, ports), ports.files);
  },
);
