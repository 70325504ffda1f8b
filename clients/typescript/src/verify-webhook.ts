import { createHmac, timingSafeEqual } from 'node:crypto';

/** Standard Webhooks: a signature is valid for five minutes, so that a copied one is soon worthless. */
const TOLERANCE_SECONDS = 300;

/** The webhook was not sent by the holder of the secret, or long ago: do not act on it. */
export class WebhookRefused extends Error {
  override name = 'WebhookRefused';
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a webhook that the service has sent, such as the reply of a custom channel.
 * @param body exactly as it came, before any parsing
 * @param headers with lower-case names, as Node has them
 * @param secret `whsec_…`
 * @returns the parsed body
 * @throws WebhookRefused if a header is missing, the time is more than five minutes away or the signature is wrong
 */
export function verifyWebhook(body: string | Uint8Array, headers: Headers, secret: string): unknown {
  const header = (name: string) => {
    const value = headers[name];
    if (typeof value !== 'string' || value === '') throw new WebhookRefused(`The header ${name} is missing.`);
    return value;
  };
  const id = header('webhook-id');
  const timestamp = header('webhook-timestamp');
  const signatures = header('webhook-signature').split(' ');
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(ageSeconds <= TOLERANCE_SECONDS)) throw new WebhookRefused('webhook-timestamp is more than five minutes away.');
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${hmac}`);
  const isSigned = signatures.some((each) => {
    const sent = Buffer.from(each);
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
  if (!isSigned) throw new WebhookRefused('webhook-signature does not fit the body and the secret.');
  return JSON.parse(Buffer.from(body).toString('utf8'));
}
