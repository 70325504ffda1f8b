import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { LINE_SIGNATURE_HTTP_HEADER_NAME, validateSignature } from '@line/bot-sdk';
import { verifySlackRequest } from '@slack/bolt';
import { verifyKey } from 'discord-interactions';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChannelType } from '../../../functions/channels/domain/channel.ts';
import type { ChannelAccess, TokenVerifier } from '../../../functions/channels/domain/platforms/platform.ts';
import { platforms } from '../../../functions/channels/domain/platforms/platforms.ts';
import { signWebhook } from '../../../functions/shared/webhooks/standard-webhooks.ts';
import { playedPlatforms } from '../../../local/played-platforms/webhooks.ts';

/** Our verification compared with the vendors' own packages, on right and on wrong requests alike. */

const NOW_MS = Date.UTC(2026, 10, 22, 9);
const NOW = NOW_MS / 1000;

beforeEach(() => void vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

function accessOf(secrets: Readonly<Record<string, readonly string[]>>): ChannelAccess {
  return {
    settings: {},
    secret: (name) => secrets[name]?.[0] ?? '',
    validSecrets: (name) => secrets[name] ?? [],
  };
}

const noTokens: TokenVerifier = { isValid: async () => false };

function verify(
  type: ChannelType,
  secrets: Readonly<Record<string, readonly string[]>>,
  headers: Readonly<Record<string, string>>,
  body: string,
) {
  const request = { headers, query: {}, body: Buffer.from(body), nowMs: NOW_MS };
  return platforms[type].verify(request, accessOf(secrets), noTokens);
}

/** Ways in which a request can be other than its sender signed it. */
const tamperings = {
  none: (body: string) => body,
  'one byte altered': (body: string) => `${body.slice(0, -1)}${body.endsWith('}') ? ']' : '}'}`,
  'one byte more': (body: string) => `${body} `,
  'serialised again': (body: string) => JSON.stringify(JSON.parse(body), null, 1),
} as const;

const bodies = fc.json().map((json) => `{"text":${json}}`);
const offsets = fc.oneof(fc.constant(0), fc.integer({ min: -900, max: 900 }));
const tampering = fc.constantFrom(...(Object.keys(tamperings) as (keyof typeof tamperings)[]));

/** A signature as it is, cut short, or in other letters. */
const mangles = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.slice(0, -1),
  (text: string) => text.toUpperCase(),
  () => '',
);

it('Slack: as strict as @slack/bolt, and stricter towards the future', async () => {
  const secret = playedPlatforms.slack.secrets.signing_secret!;
  await fc.assert(
    fc.asyncProperty(bodies, offsets, tampering, mangles, async (body, offset, how, mangle) => {
      const signed = await playedPlatforms.slack.sign(body, { nowMs: NOW_MS + offset * 1000 });
      const headers = { ...signed, 'x-slack-signature': mangle(signed['x-slack-signature']!) };
      const sent = tamperings[how](body);
      const ours = verify('slack', { signing_secret: [secret] }, headers, sent);
      let theirs = true;
      try {
        verifySlackRequest({
          signingSecret: secret,
          body: sent,
          headers: {
            'x-slack-signature': headers['x-slack-signature'],
            'x-slack-request-timestamp': Number(headers['x-slack-request-timestamp' as never]),
          },
          nowMilliseconds: NOW_MS,
        });
      } catch {
        theirs = false;
      }
      // Theirs takes any timestamp of the future.
      expect(ours).toBe(theirs && offset <= 300);
    }),
    { examples: [['{}', 301, 'none', (text) => text]] },
  );
});

it('Discord: as discord-interactions, and only within five minutes', async () => {
  const secret = playedPlatforms.discord.secrets.public_key!;
  await fc.assert(
    fc.asyncProperty(bodies, offsets, tampering, mangles, async (body, offset, how, mangle) => {
      const signed = await playedPlatforms.discord.sign(body, { nowMs: NOW_MS + offset * 1000 });
      const signature = mangle(signed['x-signature-ed25519']!);
      const timestamp = signed['x-signature-timestamp']!;
      const sent = tamperings[how](body);
      const theirs = await verifyKey(sent, signature, timestamp, secret);
      const headers = { ...signed, 'x-signature-ed25519': signature };
      // Theirs reads a signature without its last digit as if it had a leading zero.
      const whole = signature.length === signed['x-signature-ed25519']!.length;
      expect(verify('discord', { public_key: [secret] }, headers, sent)).toBe(
        theirs && whole && Math.abs(offset) <= 300,
      );
    }),
    { numRuns: 60 },
  );
});

it('LINE: as @line/bot-sdk', async () => {
  const secret = playedPlatforms.line.secrets.channel_secret!;
  await fc.assert(
    fc.asyncProperty(bodies, tampering, mangles, async (body, how, mangle) => {
      const signed = await playedPlatforms.line.sign(body, { nowMs: NOW_MS });
      const signature = mangle(signed[LINE_SIGNATURE_HTTP_HEADER_NAME]!);
      const sent = tamperings[how](body);
      const theirs = validateSignature(sent, secret, signature);
      const ours = verify('line', { channel_secret: [secret] }, { 'x-line-signature': signature }, sent);
      // Theirs decodes the signature and takes one that lacks its padding.
      if (ours) expect(theirs).toBe(true);
      else expect(theirs && signature === signed[LINE_SIGNATURE_HTTP_HEADER_NAME]).toBe(false);
    }),
  );
});

it('custom: as standardwebhooks, in both directions', async () => {
  const secret = playedPlatforms.custom.secrets.signing_secret!;
  const theirs = new Webhook(secret);
  await fc.assert(
    fc.asyncProperty(bodies, offsets, tampering, mangles, async (body, offset, how, mangle) => {
      const signed = await playedPlatforms.custom.sign(body, { nowMs: NOW_MS + offset * 1000 });
      const headers = { ...signed, 'webhook-signature': mangle(signed['webhook-signature']!) };
      const sent = tamperings[how](body);
      let isTheirs = true;
      try {
        theirs.verify(sent, headers);
      } catch {
        isTheirs = false;
      }
      expect(verify('custom', { signing_secret: [secret] }, headers, sent)).toBe(isTheirs);
    }),
  );
  const signed = await playedPlatforms.custom.sign('{}', { nowMs: NOW_MS });
  const renamed = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]),
  );
  expect(verify('custom', { signing_secret: [secret] }, renamed, '{}')).toBe(true);
  const other = `whsec_${randomBytes(24).toString('base64')}`;
  const headers = signWebhook({ id: 'msg_1', timestampSeconds: NOW, body: '{"a":1}' }, [other, secret]);
  for (const known of [secret, other]) expect(new Webhook(known).verify('{"a":1}', { ...headers })).toEqual({ a: 1 });
});

describe('during a rotation', () => {
  it.each(['slack', 'line', 'telegram', 'whatsapp', 'custom'] as const)('%s takes both secrets', async (type) => {
    const [name] = platforms[type].secrets.verifying as [string];
    const secret = playedPlatforms[type].secrets[name]!;
    const next = type === 'custom' ? `whsec_${randomBytes(32).toString('base64')}` : 'the-next-secret';
    const headers = (await playedPlatforms[type].sign('{}', { nowMs: NOW_MS })) as Record<string, string>;
    expect(verify(type, { [name]: [next, secret] }, headers, '{}')).toBe(true);
    expect(verify(type, { [name]: [next] }, headers, '{}')).toBe(false);
    expect(verify(type, {}, headers, '{}')).toBe(false);
    expect(verify(type, { [name]: [secret] }, {}, '{}')).toBe(false);
  });
});

it('Discord: an invalid key refuses everything', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const signature = sign(null, Buffer.from(`${NOW}{}`), privateKey).toString('hex');
  const headers = { 'x-signature-ed25519': signature, 'x-signature-timestamp': String(NOW) };
  for (const key of ['', 'zz', '00'.repeat(32), 'ff'.repeat(32)])
    expect(verify('discord', { public_key: [key] }, headers, '{}')).toBe(false);
});

it('WhatsApp: a GET is answered only with the verify token', () => {
  const challenge = (query: Record<string, string>) =>
    platforms.whatsapp.challenge!(
      { headers: {}, query, body: Buffer.alloc(0), nowMs: NOW_MS },
      accessOf({ verify_token: ['right'] }),
    );
  const query = { 'hub.mode': 'subscribe', 'hub.verify_token': 'right', 'hub.challenge': '1158201444' };
  expect(challenge(query)).toBe('1158201444');
  expect(challenge({ ...query, 'hub.verify_token': 'wrong' })).toBeNull();
  expect(challenge({ ...query, 'hub.mode': 'unsubscribe' })).toBeNull();
  expect(challenge({ ...query, 'hub.challenge': '<script>' })).toBeNull();
});
