import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { signedHttp, webhooks } from '../../wiring/channels/channels.ts';
import { verifyWebhookRoute } from '../routes.ts';

const endpoint = pipeline(verifyWebhookRoute, signedHttp, async ({ rawBody }) => {
  return { status: 200, text: webhooks().verified(rawBody).challenge };
});

export const handler = bufferedHandler(endpoint);
