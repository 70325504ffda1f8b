import type * as z from 'zod';
import type { EmbeddedTexts } from '../domain/embed-texts.ts';
import type { embeddingList } from './schemas.ts';

export function toEmbeddingList(
  { model, vectors, tokens }: EmbeddedTexts,
  format: 'float' | 'base64',
): z.output<typeof embeddingList> {
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'float' ? [...vector] : base64Of(vector),
    })),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

function base64Of(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
