import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { envelopeReply } from '../../shared/http/envelope.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { triggeredPorts, webhookHttp, webhooks } from '../../wiring/workflows/workflows.ts';
import { TriggerRefused } from '../domain/triggers/trigger-refused.ts';
import { queueTriggered } from '../domain/triggers/triggered-run.ts';
import { receiveWebhookRoute } from '../trigger-routes.ts';
import { webhookFiring } from '../webhook-firing.ts';

const ports = triggeredPorts();

const endpoint = pipeline(receiveWebhookRoute, webhookHttp, async ({ rawBody, headers: _, ...request }) => {
  const { trigger, headers } = webhooks().verified(rawBody);
  if (!trigger.isEnabled)
    throw new TriggerRefused('trigger_off', 'The trigger is switched off: PATCH it to enabled: true.');
  const firing = webhookFiring(trigger.triggerId, { headers, params: request.queryParameters, body: rawBody });
  const { runId, isNew } = await queueTriggered(trigger, firing, ports);
  const reply = envelopeReply(202, { run_id: runId }, isNew ? 'The run is queued.' : 'The run is known.');
  return isNew ? reply : { ...reply, headers: { 'idempotent-replayed': 'true' } };
});

export const handler = bufferedHandler(endpoint);
