import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlatformServer, startPlatformServer } from '../../../local/played-platforms/server.ts';
import { echoes, postPayload } from '../../helpers/channel-payloads.ts';
import { createChannel, eventually } from '../../helpers/channels.ts';
import { createApplication, createCall } from '../../helpers/chat.ts';
import { listening } from '../../helpers/listening.ts';
import { useService } from '../../helpers/service.ts';

/** Voice messages reach a model as words. */

const service = useService();
const { serve } = listening();
let platform: PlatformServer;
beforeAll(async () => {
  platform = await startPlatformServer();
});
afterAll(() => platform.stop());

interface Upload {
  readonly model: unknown;
  readonly name: string;
  readonly type: string;
  readonly bytes: string;
  readonly key: string | undefined;
}

async function uploadOf(incoming: IncomingMessage, body: Buffer): Promise<Upload> {
  const headers = { 'content-type': incoming.headers['content-type']! };
  const form = await new Response(Uint8Array.from(body), { headers }).formData();
  const file = form.get('file') as File;
  const { name, type } = file;
  return { model: form.get('model'), name, type, bytes: await file.text(), key: incoming.headers.authorization };
}

/** A server with models and voice messages. */
async function provider(transcription: { readonly status: number; readonly body: object }) {
  const uploads: Upload[] = [];
  const url = await serve(async (incoming, response) => {
    const { url: path = '' } = incoming;
    const body = await buffer(incoming);
    if (path.startsWith('/voice')) {
      response.writeHead(200, { 'content-type': path.endsWith('.ogg') ? 'audio/ogg' : 'audio/mpeg' }).end('sounds');
    } else if (path === '/v1/audio/transcriptions') {
      uploads.push(await uploadOf(incoming, body));
      response.writeHead(transcription.status).end(JSON.stringify(transcription.body));
    } else {
      const request = { headers: incoming.headers, body: JSON.parse(body.toString()), aborted: Promise.resolve() };
      await echoes(response, request);
    }
  });
  return { url, uploads };
}

async function answerTo(url: string, file: string, transcription_model: string | null) {
  const model = {
    provider: 'openai-compatible',
    name: 'm',
    base_url: `${url}/v1`,
    api_key: 'sk-1',
    transcription_model,
  };
  const { id: application_id } = await createApplication(service, { type: 'channel', config: { model } });
  const channel = await createChannel(service, 'custom', platform.baseUrl, { application_id });
  platform.plays('ok');
  const attachments = [{ url: `${url}/${file}`, content_type: 'audio/ogg' }];
  await postPayload(service, channel, { conversation_id: 'c', text: 'Listen', attachments }, platform.baseUrl);
  return (await eventually(() => platform.delivered[0])).text;
}

it('transcribes a voice message by the provider of the application, with its key', async () => {
  const { url, uploads } = await provider({ status: 200, body: { text: '언제 여나요?' } });
  expect(await answerTo(url, 'voice.ogg', 'whisper-1')).toBe('re: Listen\n[voice message]\n언제 여나요?');
  expect(uploads).toEqual([
    { model: 'whisper-1', name: 'voice.ogg', type: 'audio/ogg', bytes: 'sounds', key: 'Bearer sk-1' },
  ]);
});

it('passes an MP3 on as it is without such a model', async () => {
  const { url, uploads } = await provider({ status: 200, body: { text: 'unused' } });
  expect(await answerTo(url, 'voice.mp3', null)).toBe('re: Listen\n<input_audio>');
  expect(uploads).toEqual([]);
});

it.each([
  [500, { error: { message: 'no' } }],
  [200, { words: 'none' }],
])('says in words what it could not transcribe: %s %j', async (status, body) => {
  const { url, uploads } = await provider({ status, body });
  expect(await answerTo(url, 'voice.ogg', 'whisper-1')).toContain('[voice message of type audio/ogg: it cannot be');
  expect(uploads).toHaveLength(1);
});

it('refuses such a model of a provider that has none', async () => {
  const config = { model: { provider: 'embedded', transcription_model: 'whisper-1' } };
  const answer = await createCall(service, { name: 'Embedded', type: 'chat', config });
  expect(answer.status).toBe(422);
  expect(JSON.stringify(answer.json)).toContain('transcription_model: does not apply to the provider embedded');
});
