import { isSignedWebhook, signWebhook, webhookKey } from '../../../shared/webhooks/standard-webhooks.ts';
import { type Attachment, inboundMessage, type Quote } from '../inbound-message.ts';
import {
  addressOf,
  answerJson,
  attachmentKind,
  contentOf,
  type Json,
  jsonObject,
  MalformedWebhook,
  type Platform,
  Undeliverable,
} from './platform.ts';
import { MAX_DETAIL_LENGTH, type SendOutcome, statusOutcome } from './send-outcome.ts';

export const custom: Platform = {
  type: 'custom',
  secrets: { required: ['signing_secret'], optional: [], verifying: ['signing_secret'] },
  signature: {
    header: ['webhook-signature', 'svix-signature'],
    timestamp: ['webhook-timestamp', 'svix-timestamp'],
    secret: 'secrets.signing_secret',
  },
  settings: { required: ['url'], optional: ['max_length', 'text_format'] },
  secretProblem: (_, value) =>
    webhookKey(value) === null ? 'must be whsec_ and base64 of at least 16 bytes, as Standard Webhooks has it' : null,
  maxReplyLength: 10_000,
  dialect: 'markdown',
  dropsRepeats: true,

  verify: ({ headers, body, nowMs }, access) =>
    isSignedWebhook(headers, body, access.validSecrets('signing_secret'), nowMs),

  read(request) {
    const body = jsonObject(request);
    const sender = body.in('sender');
    const eventId = request.headers['webhook-id'] ?? request.headers['svix-id'] ?? '';
    const message = inboundMessage({
      eventId,
      conversationId: body.text('conversation_id'),
      sender: { id: sender.text('id') || body.text('conversation_id'), name: sender.text('name') || null },
      text: body.text('text'),
      quotes: body.list('quotes').map(quoteOf),
      attachments: body.list('attachments').flatMap(attachmentOf),
      replyTo: { conversation_id: body.text('conversation_id'), in_reply_to: eventId },
      place: 'direct',
      ...(body.text('language') !== '' && { language: body.text('language') }),
    });
    if ('skipped' in message)
      throw new MalformedWebhook('The message needs a conversation_id, and a text, quotes or attachments.');
    return contentOf([message], { reply: { status: 200, body: { accepted: true, id: message.eventId } } });
  },

  send({ id, texts, target, index, parts }, access, nowMs) {
    const { url } = access.settings;
    if (url === undefined) throw new Undeliverable('no_url');
    const timestampSeconds = Math.floor(nowMs / 1000);
    const body = JSON.stringify({
      type: 'message.reply',
      timestamp: new Date(nowMs).toISOString(),
      data: {
        id,
        conversation_id: target.conversation_id ?? '',
        text: texts.join('\n'),
        in_reply_to: target.in_reply_to ?? null,
        part: index,
        parts: parts ?? index,
      },
    });
    const signature = signWebhook({ id, timestampSeconds, body }, access.validSecrets('signing_secret'));
    return { method: 'POST', url, headers: { 'content-type': 'application/json', ...signature }, body };
  },

  placeOf: (id) => ({ conversation_id: id }),

  outcomeOf(answer) {
    return answer.status === 410
      ? { kind: 'gone', code: 'http_410' }
      : withDetail(statusOutcome(answer), answerJson(answer));
  },

  attachment: (attachment) => ({ method: 'GET', url: addressOf(attachment), headers: {} }),
};

/** Receivers say what they like: it is shown, and names nothing. */
function withDetail(outcome: SendOutcome, body: Json): SendOutcome {
  const detail = (body.text('message') || body.text('error')).slice(0, MAX_DETAIL_LENGTH) || null;
  return outcome.kind === 'failed' ? { ...outcome, detail } : outcome;
}

function quoteOf(quote: Json): Quote {
  const kind = quote.text('kind');
  return {
    kind: kind === 'forward' || kind === 'embed' ? kind : 'reply',
    author: quote.text('author'),
    text: quote.text('text'),
  };
}

function attachmentOf(attachment: Json): Attachment[] {
  const url = attachment.text('url');
  const mimeType = attachment.text('content_type');
  if (url === '') return [];
  const name = attachment.text('name') || null;
  return [{ kind: attachmentKind(mimeType), name, mimeType: mimeType || null, source: { kind: 'public', url } }];
}
