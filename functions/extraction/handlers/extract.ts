import { environment } from '../../shared/environment.ts';
import { apiHandler } from '../../shared/http/api-handler.ts';
import { unknownField } from '../../shared/http/parse-input.ts';
import { keyedCall } from '../../shared/idempotency/keyed-call.ts';
import { extract } from '../domain/extract.ts';
import { extractPorts } from '../extract-ports.ts';
import { extractionManners } from '../http-manners.ts';
import { extractRoute } from '../routes.ts';

const ports = extractPorts();

export const handler = apiHandler(extractRoute, extractionManners, async (request) => {
  const { caller, query, body, headers, deadlineMs } = request;
  if (query.debug && !environment('TRIPOD_LOCAL').TRIPOD_LOCAL) throw unknownField('debug', 'the query');
  const command = {
    ...body,
    debug: query.debug === '1',
    workspaceId: caller.workspaceId,
    idempotency: keyedCall(extractRoute, headers['idempotency-key'], body),
    deadlineMs,
  };
  const { result, replayed, trace } = await extract(command, ports);
  const answer = trace ? { ...result, debug: trace } : result;
  return { status: 200, body: answer, headers: replayed ? { 'idempotent-replayed': 'true' } : {} };
});
