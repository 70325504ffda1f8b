import type { AnswerPorts } from '../../channels/domain/answer-lane.ts';
import type { Channel } from '../../channels/domain/channel.ts';
import type { Attachment } from '../../channels/domain/inbound-message.ts';
import { type PlatformTokens, Undeliverable } from '../../channels/domain/platforms/platform.ts';
import { platforms } from '../../channels/domain/platforms/platforms.ts';
import type { ContentPart } from '../../chat/domain/messages.ts';
import { FetchRefused } from '../web/fetch-refused.ts';
import { readBody, type SafeFetch } from '../web/safe-fetch.ts';
import { TokenFailed } from './failures.ts';
import { makeCall } from './web-calls.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const FIELD = 'The attachment';
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Formats of audio that models take. */
const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

export interface AttachmentPorts {
  readonly web: SafeFetch;
  readonly tokens: PlatformTokens;
  /** The words of a voice message; null where the application has no model for them. */
  readonly transcribe: (channel: Channel, voice: { mimeType: string; bytes: Uint8Array }) => Promise<string | null>;
  readonly onUnread: (channelId: string, error: unknown) => void;
}

/** Images, audios and files of messages, read through their platform and turned into content parts. */
export function webAttachments({ web, tokens, transcribe, onUnread }: AttachmentPorts): AnswerPorts['attachments'] {
  return {
    async read(attachment, channel, access): Promise<ContentPart> {
      const platform = platforms[channel.type];
      try {
        let call = await platform.attachment(attachment, access, channel.channelId, tokens);
        if (platform.attachmentContents) {
          const answer = await makeCall(web, call, TIMEOUT_MS);
          call = platform.attachmentContents(answer, access) ?? call;
        }
        const response = await web.fetch(call.url, { headers: call.headers, timeoutMs: TIMEOUT_MS });
        if (response.status !== 200) {
          response.close();
          throw new Undeliverable(`attachment_http_${response.status}`);
        }
        const type = (response.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
        const problem = platform.attachmentProblem?.(attachment, type) ?? null;
        if (problem !== null) {
          response.close();
          onUnread(channel.channelId, new Undeliverable(problem));
          return unread(attachment, problem);
        }
        const bytes = await readBody(response, MAX_BYTES, FIELD);
        const mimeType = typeOf(attachment, type);
        if (mimeType.startsWith('audio/')) {
          const words = await transcribe(channel, { mimeType, bytes });
          if (words !== null) return { type: 'text', text: `[voice message]\n${words}` };
        }
        return partOf(attachment, mimeType, Buffer.from(bytes).toString('base64'));
      } catch (error) {
        if (!(error instanceof FetchRefused || error instanceof Undeliverable || error instanceof TokenFailed))
          throw error;
        onUnread(channel.channelId, error);
        return unread(attachment, 'it could not be read');
      }
    },
  };
}

function unread({ kind, name }: Attachment, why: string): ContentPart {
  return { type: 'text', text: `[${[kind, name].filter(Boolean).join(' ')}: ${why}]` };
}

/** The platform knows the file's type; file servers often do not. */
function typeOf({ mimeType }: Attachment, answered: string): string {
  const isVague = answered === '' || answered === 'application/octet-stream' || answered === 'binary/octet-stream';
  return (isVague ? mimeType : answered) ?? 'application/octet-stream';
}

function partOf({ name }: Attachment, type: string, base64: string): ContentPart {
  const url = `data:${type};base64,${base64}`;
  if (IMAGE_TYPES.includes(type)) return { type: 'image_url', image_url: { url } };
  const format = AUDIO_FORMATS[type];
  if (format !== undefined) return { type: 'input_audio', input_audio: { data: base64, format } };
  // Applications refuse files of these types: the message says so instead.
  if (type.startsWith('audio/'))
    return {
      type: 'text',
      text: `[voice message of type ${type}: it cannot be listened to here, ask for it in writing]`,
    };
  return { type: 'file', file: { file_data: url, ...(name !== null && { filename: name }) } };
}
