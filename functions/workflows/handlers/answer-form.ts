import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { Problem } from '../../shared/http/problem.ts';
import { isObject, type Json, type JsonObject } from '../domain/graph/graph.ts';
import { startFields } from '../domain/graph/node-fields.ts';
import { decideRun } from '../domain/run/decide-run.ts';
import { findForm } from '../domain/run/find-form.ts';
import { PAGE_HEADERS, sentValues, thanksPage, wantsPage } from '../form-page.ts';
import { answerFormRoute } from '../form-routes.ts';
import { decidePorts, http } from '../wiring.ts';

const ports = decidePorts();

const endpoint = pipeline(answerFormRoute, http, async ({ params, headers, rawBody }) => {
  const { link, waiting } = await findForm(params.form, { runs: ports.runs, nowMs: ports.clock.now() });
  const text = rawBody.bytes().toString();
  const isPage = headers['content-type']?.includes('x-www-form-urlencoded') === true;
  const values = isPage ? sentValues(new URLSearchParams(text), startFields(waiting.node)) : objectIn(text);
  await decideRun(link, { decision: 'submitted', key: link.key, comment: '', by: 'link', values }, ports);
  return wantsPage(headers.accept)
    ? { status: 200, text: thanksPage(waiting.node.title), headers: PAGE_HEADERS }
    : envelopeReply(200, null, 'The run continues.');
});

/** @throws Problem 400 */
function objectIn(text: string): JsonObject {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw new Problem(400, 'invalid_request', 'The body must be JSON: an object with the values of the form’s fields.');
  }
  if (isObject(value)) return value;
  throw new Problem(400, 'invalid_request', 'The body must be an object with the values of the form’s fields.');
}

export const handler = bufferedHandler(endpoint);
