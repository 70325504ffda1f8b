import { ModelFailed } from '../../chat/domain/chat-model.ts';
import { secretContext } from '../../chat/domain/manage-applications.ts';
import type { TranscribePorts, Voice } from '../../chat/domain/transcribe.ts';
import { boundedJson } from '../../shared/bounded-json.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';
import { readBody, type SafeFetch } from '../web/safe-fetch.ts';
import { failureOfConnection, failureOfStatus, garbage } from './provider-failures.ts';

const FIELD = 'The model provider';
const MAX_ANSWER_BYTES = 1024 * 1024;
const TIMEOUT_MS = 60_000;
/** Servers tell formats apart by the end of the file's name. */
const ENDS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/webm': 'webm',
  'audio/flac': 'flac',
  'audio/ogg': 'ogg',
  'audio/opus': 'ogg',
};

/** Transcriptions of any server that speaks OpenAI's API. */
export function openAiTranscribers(web: SafeFetch, secrets: Pick<SecretBox, 'open'>): TranscribePorts['transcribers'] {
  return {
    async transcribe({ baseUrl, apiKey, transcriptionModel }, application, voice) {
      if (baseUrl === null || transcriptionModel === null)
        throw new ModelFailed('provider_error', 'The model writes nothing down.');
      const key = apiKey === null ? null : await secrets.open(apiKey, secretContext(application));
      const body = new Response(formOf(transcriptionModel, voice));
      try {
        const response = await web.fetch(`${baseUrl}/audio/transcriptions`, {
          method: 'POST',
          headers: {
            'content-type': body.headers.get('content-type') ?? '',
            ...(key !== null && { authorization: `Bearer ${key}` }),
          },
          body: new Uint8Array(await body.arrayBuffer()),
          timeoutMs: TIMEOUT_MS,
        });
        const text = Buffer.from(await readBody(response, MAX_ANSWER_BYTES, FIELD)).toString();
        const { status, headers } = response;
        if (status !== 200)
          throw failureOfStatus({ status, text, headers, nowMs: Date.now() }, key === null ? [] : [key]);
        return wordsOf(text);
      } catch (error) {
        throw failureOfConnection(error);
      }
    },
  };
}

function formOf(model: string, { mimeType, bytes }: Voice): FormData {
  const form = new FormData();
  const end = Object.hasOwn(ENDS, mimeType) ? ENDS[mimeType] : 'm4a';
  form.append('file', new Blob([Uint8Array.from(bytes)], { type: mimeType }), `voice.${end}`);
  form.append('model', model);
  form.append('response_format', 'json');
  return form;
}

function wordsOf(text: string): string {
  try {
    const { text: words } = boundedJson(text) as { readonly text?: unknown };
    if (typeof words === 'string') return words;
  } catch {
    // Below.
  }
  throw garbage();
}
