import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { decidePorts, http } from '../../wiring/workflows/workflows.ts';
import { decideRun } from '../domain/run/decide-run.ts';
import { findForm, type LinkedForm } from '../domain/run/find-form.ts';
import { faultsByField, RunRefused } from '../domain/run/run-refused.ts';
import { jsonAnswer, sentAnswer } from '../form-answers.ts';
import { formPage, pageLanguage, thanksPage, wantsPage } from '../form-page.ts';
import { pageReply, refusedReply } from '../form-replies.ts';
import { answerFormRoute } from '../form-routes.ts';

const ports = decidePorts();

const endpoint = pipeline(answerFormRoute, http, async ({ params, headers, rawBody }) => {
  const isPage = headers['content-type']?.includes('x-www-form-urlencoded') === true;
  const text = rawBody.bytes().toString();
  const language = pageLanguage(headers['accept-language']);
  let found: LinkedForm | null = null;
  try {
    found = await findForm(params.form, { runs: ports.runs, nowMs: ports.clock.now() });
    const { link, waiting } = found;
    const answer = isPage ? sentAnswer(text, waiting) : jsonAnswer(text, waiting);
    await decideRun(link, { ...answer, key: link.key, by: 'link' }, ports);
    if (!wantsPage(headers.accept)) return envelopeReply(200, null, 'The run continues.');
    return pageReply(200, thanksPage(waiting.node.title || waiting.node.id, language));
  } catch (error) {
    if (!wantsPage(headers.accept) || !(error instanceof RunRefused)) throw error;
    if (error.refusal !== 'invalid_inputs' || found === null || !isPage) return refusedReply(error, language);
    const again = { sent: new URLSearchParams(text), faults: faultsByField(error.inputs, language) };
    return pageReply(422, formPage(found.waiting, language, again));
  }
});

export const handler = bufferedHandler(endpoint);
