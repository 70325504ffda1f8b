import { isTimely } from '../../shared/webhooks/signatures.ts';
import type { Platform, WebhookRequest } from './platforms/platform.ts';

/** The last webhooks of a channel. */
export interface InboundHealth {
  /** Of a webhook whose signature was right; null before the first. */
  readonly receivedAtMs: number | null;
  /** The last webhook that was refused; null before the first. */
  readonly refused: { readonly atMs: number; readonly reason: WebhookFault } | null;
}

export const NOTHING_SEEN: InboundHealth = { receivedAtMs: null, refused: null };

/** Why a webhook is not the platform's, as far as its headers say. */
export const WEBHOOK_FAULTS = ['signature_missing', 'timestamp_stale', 'signature_wrong'] as const;
export type WebhookFault = (typeof WEBHOOK_FAULTS)[number];

export interface InboundHealths {
  /** Those of channels that have seen a webhook. */
  of(channelIds: readonly string[]): Promise<ReadonlyMap<string, InboundHealth>>;
  /** @param fault null: the signature was right. */
  record(channelId: string, fault: WebhookFault | null): Promise<void>;
}

/** The fault of a request that a platform's verification has refused. */
export function faultOf(
  { signature: { header, timestamp } }: Pick<Platform, 'signature'>,
  { headers, nowMs }: Pick<WebhookRequest, 'headers' | 'nowMs'>,
): WebhookFault {
  if (header.every((name) => !headers[name])) return 'signature_missing';
  return timestamp?.every((name) => !isTimely(headers[name], nowMs)) ? 'timestamp_stale' : 'signature_wrong';
}

/** The fault in words, with what to compare. */
export function faultText(fault: WebhookFault, { signature: { header, secret } }: Pick<Platform, 'signature'>): string {
  switch (fault) {
    case 'signature_missing':
      return `The request has no header ${header[0]}: it did not come from the platform, or a proxy took the header away.`;
    case 'timestamp_stale':
      return 'The timestamp of the request is more than five minutes off: compare the clocks, and look for a proxy that repeats requests.';
    case 'signature_wrong':
      return `The signature is not made with ${secret}. Compare it with the platform's, and check that the address belongs to the same app.`;
  }
}
