import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { findForm } from '../domain/run/find-form.ts';
import { formPage, PAGE_HEADERS, wantsPage } from '../form-page.ts';
import { getFormRoute } from '../form-routes.ts';
import { toFormFields } from '../responses.ts';
import { clock, http, runs } from '../wiring.ts';

const stored = runs();

const endpoint = pipeline(getFormRoute, http, async ({ params, headers }) => {
  const { waiting } = await findForm(params.form, { runs: stored, nowMs: clock.now() });
  if (wantsPage(headers.accept)) return { status: 200, text: formPage(waiting), headers: PAGE_HEADERS };
  const { node, message, untilMs } = waiting;
  const expiresAt = new Date(untilMs).toISOString();
  const form = { title: node.title, message, fields: toFormFields(node), expires_at: expiresAt };
  return envelopeReply(200, form, 'The form.');
});

export const handler = bufferedHandler(endpoint);
