import { environment } from '../../shared/environment.ts';
import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { unknownField } from '../../shared/http/parse-input.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { keyedCall } from '../../shared/idempotency/keyed-call.ts';
import { addressSubject } from '../../shared/limits/address-subject.ts';
import { keyIdOf } from '../../shared/principal.ts';
import { extractPorts, http } from '../../wiring/extraction/extraction.ts';
import { serviceEvents } from '../../wiring/shared/service-events.ts';
import { extract } from '../domain/extract.ts';
import { toResultResponse } from '../item-responses.ts';
import { publishExtraction } from '../publish-events.ts';
import { extractRoute } from '../routes.ts';

const ports = extractPorts();
const events = serviceEvents();

const endpoint = pipeline(
  extractRoute,
  http,
  async ({ principal, query, body, headers, language, sourceAddress, deadlineMs, background }) => {
    if (query.debug && !environment('TRIPOD_LOCAL').TRIPOD_LOCAL) throw unknownField('debug', 'the query');
    const command = {
      ...body,
      debug: query.debug === '1',
      workspaceId: principal.workspaceId,
      keyId: keyIdOf(principal),
      address: addressSubject(sourceAddress),
      idempotency: keyedCall(extractRoute, headers['idempotency-key'], body),
      deadlineMs,
    };
    const { result, replayed, trace } = await extract(command, ports);
    background(publishExtraction(principal.workspaceId, result, events));
    const response = toResultResponse(result, language);
    return {
      status: 200,
      body: trace ? { ...response, debug: trace } : response,
      headers: replayed ? { 'idempotent-replayed': 'true' } : {},
    };
  },
);

export const handler = bufferedHandler(endpoint);
