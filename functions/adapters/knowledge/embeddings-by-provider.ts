import * as z from 'zod';
import { EmbeddingFailed, type Embeddings, unit } from '../../knowledge/domain/embeddings.ts';
import { MAX_DIMENSIONS } from '../../knowledge/domain/knowledge-base.ts';
import { embeddingSecretContext } from '../../knowledge/domain/manage-knowledge.ts';
import { boundedJson } from '../../shared/bounded-json.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';
import { FetchRefused } from '../web/fetch-refused.ts';
import { readBody, type SafeFetch } from '../web/safe-fetch.ts';
import { type BatchOptions, inBatches } from './embedding-batches.ts';

const TIMEOUT_MS = 60_000;
const MAX_RESPONSE_BYTES = 8 * 2 ** 20;
/** Of a batch of the longest vectors, and more. */
const MAX_NUMBERS = 300_000;
const MAX_SHOWN_LENGTH = 200;

const response = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
});

type Owner = Parameters<Embeddings['embed']>[0];
type Purpose = Parameters<Embeddings['embed']>[2];

interface EmbeddingsOptions {
  readonly web: SafeFetch;
  readonly secrets: Pick<SecretBox, 'open'>;
  /** Of one request. */
  readonly timeoutMs?: number;
  /** Milliseconds before a failed request is sent again. */
  readonly waitMs?: number;
}

/** The models that bases name: servers with OpenAI's API, and Bedrock, which is loaded with its first call. */
export class EmbeddingsByProvider implements Embeddings {
  readonly #web: SafeFetch;
  readonly #secrets: Pick<SecretBox, 'open'>;
  readonly #timeoutMs: number;
  readonly #waitMs: BatchOptions['waitMs'];

  constructor({ web, secrets, timeoutMs = TIMEOUT_MS, waitMs }: EmbeddingsOptions) {
    this.#web = web;
    this.#secrets = secrets;
    this.#timeoutMs = timeoutMs;
    this.#waitMs = waitMs;
  }

  async embed(
    owner: Owner,
    texts: readonly string[],
    purpose: Purpose,
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    const ask = await this.#askOf(owner, purpose, signal);
    // A search does not wait for a second attempt: it has the terms.
    const attempts = purpose === 'question' ? 1 : undefined;
    return inBatches(texts, async (batch) => checked(await ask(batch), batch.length), {
      signal,
      ...(attempts && { attempts }),
      ...(this.#waitMs !== undefined && { waitMs: this.#waitMs }),
    });
  }

  async #askOf({ base, config }: Owner, purpose: Purpose, signal: AbortSignal) {
    if (config.provider === 'bedrock') {
      const { bedrockEmbeddings } = await import('./bedrock-embeddings.ts');
      return (texts: readonly string[]) => bedrockEmbeddings(config, texts, purpose, signal);
    }
    const { apiKey, model, baseUrl, dimensions, prefixes } = config;
    const key = apiKey === null ? null : await this.#secrets.open(apiKey, embeddingSecretContext(base));
    const prefix = prefixes?.[purpose] ?? '';
    return (texts: readonly string[]) =>
      this.#post(`${baseUrl}/embeddings`, key, base.workspaceId, signal, {
        ...{ model, input: texts.map((text) => prefix + text), encoding_format: 'float' },
        ...(dimensions !== null && { dimensions }),
      });
  }

  async #post(
    url: string,
    key: string | null,
    owner: string,
    signal: AbortSignal,
    body: object,
  ): Promise<readonly (readonly number[])[]> {
    const headers = { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) };
    try {
      const sent = {
        method: 'POST',
        headers,
        body: Buffer.from(JSON.stringify(body)),
        timeoutMs: this.#timeoutMs,
      } as const;
      const received = await this.#web.fetch(url, { ...sent, signal, connectionOwner: owner });
      const text = new TextDecoder().decode(await readBody(received, MAX_RESPONSE_BYTES, 'The embedding model'));
      if (received.status !== 200) throw failureOf(received.status);
      return vectorsOf(text);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FetchRefused)) throw error;
      const isPassing = error.reason === 'unreachable' || error.reason === 'timeout';
      const asksForLess = error.reason === 'timeout';
      const message = `The embedding model cannot be reached: ${error.message}`;
      throw new EmbeddingFailed(message, { isPassing, asksForLess, cause: error });
    }
  }
}

/** In the order of the texts, even if the response has another order. */
function vectorsOf(text: string): readonly (readonly number[])[] {
  try {
    const { data } = response.parse(boundedJson(text, { maxValues: MAX_NUMBERS }));
    return data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
  } catch (error) {
    const said = JSON.stringify(text.slice(0, MAX_SHOWN_LENGTH));
    throw new EmbeddingFailed(`The embedding model answered ${said}, which holds no vectors.`, {
      isPassing: false,
      cause: error,
    });
  }
}

/** Request timeout, content too large, gateway timeout. */
const TOO_MUCH: readonly number[] = [408, 413, 504];

function failureOf(status: number): EmbeddingFailed {
  // What a server says of a refused key may hold a part of it.
  if (status === 401 || status === 403)
    return new EmbeddingFailed('The embedding model refuses the api_key of the knowledge base.', { isPassing: false });
  const isPassing = status === 408 || status === 429 || status >= 500;
  const mend = isPassing ? '' : ' Check embedding.model and embedding.base_url: make another base with the right ones.';
  const asksForLess = TOO_MUCH.includes(status);
  return new EmbeddingFailed(`The embedding model answered with status ${status}.${mend}`, { isPassing, asksForLess });
}

/** @throws EmbeddingFailed */
function checked(vectors: readonly (readonly number[])[], count: number): readonly Float32Array[] {
  if (vectors.length !== count)
    throw new EmbeddingFailed(`The embedding model made ${vectors.length} vectors of ${count} texts.`, {
      isPassing: false,
    });
  return vectors.map((vector) => {
    if (vector.length > MAX_DIMENSIONS)
      throw new EmbeddingFailed(
        `The embedding model makes vectors of ${vector.length} numbers, and ${MAX_DIMENSIONS} are kept. Make another base with embedding.dimensions, or with a smaller model.`,
        { isPassing: false },
      );
    const made = unit(vector);
    if (made === null)
      throw new EmbeddingFailed('The embedding model made a vector without a direction.', { isPassing: false });
    return made;
  });
}
