import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { clock, http, runs } from '../../wiring/workflows/workflows.ts';
import { findForm } from '../domain/run/find-form.ts';
import { RunRefused } from '../domain/run/run-refused.ts';
import { formPage, pageLanguage, wantsPage } from '../form-page.ts';
import { pageReply, refusedReply } from '../form-replies.ts';
import { getFormRoute } from '../form-routes.ts';
import { toFormResponse } from '../responses.ts';

const stored = runs();

const endpoint = pipeline(getFormRoute, http, async ({ params, headers }) => {
  const language = pageLanguage(headers['accept-language']);
  const isPage = wantsPage(headers.accept);
  try {
    const { waiting } = await findForm(params.form, { runs: stored, nowMs: clock.now() });
    if (isPage) return pageReply(200, formPage(waiting, language));
    return envelopeReply(200, toFormResponse(waiting), 'The form.');
  } catch (error) {
    if (!isPage || !(error instanceof RunRefused)) throw error;
    return refusedReply(error, language);
  }
});

export const handler = bufferedHandler(endpoint);
