import type { ModelConfig } from '../../chat/domain/application.ts';
import type { ModelPart, ModelRequest } from '../../chat/domain/chat-model.ts';
import { readBody, type SafeFetch, type SafeResponse } from '../web/safe-fetch.ts';
import { partsOfAnswer } from './openai-answer.ts';
import { requestBody } from './openai-request.ts';
import { failureOfConnection, failureOfStatus, garbage } from './provider-failures.ts';
import { SilenceTimeout } from './silence-timeout.ts';
import { MAX_EVENT_LENGTH, type ServerSentEvent, serverSentEvents } from './sse-events.ts';

const MAX_ERROR_BYTES = 64 * 1024;
/** Longer than any request may take: silence is what ends a call. */
const MAX_CALL_MS = 15 * 60_000;

/** Chat completions of any server that speaks OpenAI's API, always asked for a stream. */
export class OpenAiModel {
  readonly #web: SafeFetch;

  constructor(web: SafeFetch) {
    this.#web = web;
  }

  /** @param apiKey null for a server without keys. @param owner of the connections to it. @throws ModelFailed; what `signal` was aborted with. */
  async *stream(
    model: ModelConfig & { readonly baseUrl: string },
    { apiKey, owner }: { readonly apiKey: string | null; readonly owner: string },
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    const secrets = apiKey === null ? [] : [apiKey];
    const silence = new SilenceTimeout(model.timeoutSeconds);
    let response: SafeResponse | undefined;
    try {
      response = await this.#web.fetch(`${model.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        },
        body: Buffer.from(JSON.stringify(requestBody(model, request))),
        timeoutMs: MAX_CALL_MS,
        signal: AbortSignal.any([signal, silence.signal]),
        connectionOwner: owner,
      });
      const { status, headers } = response;
      if (status !== 200) {
        const text = Buffer.from(
          await readBody(response, MAX_ERROR_BYTES, 'The model provider').catch(() => ''),
        ).toString();
        throw failureOfStatus({ status, text, headers, nowMs: Date.now() }, secrets);
      }
      yield* partsOfAnswer(eventsOf(response, silence), secrets);
      response.finish();
      response = undefined;
    } catch (error) {
      throw failureOfConnection(error);
    } finally {
      silence.clear();
      response?.close();
    }
  }
}

/** The events of a stream; the whole body of a server that does not stream is one. */
async function* eventsOf({ headers, body }: SafeResponse, silence: SilenceTimeout): AsyncGenerator<ServerSentEvent> {
  const bytes = (async function* () {
    for await (const some of body) {
      silence.refresh();
      yield some;
    }
  })();
  if (!headers['content-type']?.includes('json')) return yield* serverSentEvents(bytes);
  let text = '';
  const decoder = new TextDecoder();
  for await (const some of bytes) {
    text += decoder.decode(some, { stream: true });
    if (text.length > MAX_EVENT_LENGTH) throw garbage();
  }
  yield { name: null, data: text };
  yield { name: null, data: '[DONE]' };
}
