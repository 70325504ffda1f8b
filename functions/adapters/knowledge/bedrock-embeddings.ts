import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import { EmbeddingFailed } from '../../knowledge/domain/embeddings.ts';
import type { EmbeddingConfig } from '../../knowledge/domain/knowledge-base.ts';
import { memoize } from '../../shared/memoize.ts';

const sharedClient = memoize(() => new BedrockRuntimeClient({ maxAttempts: 4 }));

const titan = z.object({ embedding: z.array(z.number()) });
const cohere = z.object({ embeddings: z.array(z.array(z.number())) });

/** Embedding models on Amazon Bedrock: those of Cohere take many texts at once, Titan one. @throws EmbeddingFailed */
export async function bedrockEmbeddings(
  { model, dimensions }: Pick<EmbeddingConfig, 'model' | 'dimensions'>,
  texts: readonly string[],
  purpose: 'passage' | 'question',
  signal: AbortSignal,
  client: Pick<BedrockRuntimeClient, 'send'> = sharedClient(),
): Promise<readonly (readonly number[])[]> {
  const ask = async (body: object): Promise<unknown> => {
    const sent = { modelId: model, contentType: 'application/json', body: JSON.stringify(body) };
    const answer = await client.send(new InvokeModelCommand(sent), { abortSignal: signal });
    return JSON.parse(new TextDecoder().decode(answer.body));
  };
  try {
    if (model.includes('cohere.')) {
      const input_type = purpose === 'question' ? 'search_query' : 'search_document';
      return cohere.parse(await ask({ texts, input_type, truncate: 'END' })).embeddings;
    }
    return await Promise.all(
      texts.map(
        async (inputText) =>
          titan.parse(await ask({ inputText, ...(dimensions !== null && { dimensions }) })).embedding,
      ),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(error);
  }
}

const PASSING: readonly string[] = [
  ...['ThrottlingException', 'ServiceUnavailableException', 'InternalServerException', 'ModelTimeoutException'],
  ...['ModelNotReadyException', 'TimeoutError'],
];

function failureOf(error: unknown): EmbeddingFailed {
  const { name, message } = error as Error;
  const isPassing = PASSING.includes(name);
  return new EmbeddingFailed(`The embedding model on Bedrock failed (${name}): ${message}`, {
    isPassing,
    cause: error,
  });
}
