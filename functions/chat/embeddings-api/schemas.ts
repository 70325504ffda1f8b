import * as z from 'zod';
import { optional } from '../completions/schemas.ts';

/** Requests and responses in the form of OpenAI's embeddings. */

const MAX_TEXTS = 256;
const MAX_TEXT_LENGTH = 100_000;

const text = z.string().min(1).max(MAX_TEXT_LENGTH);

export const embeddingsBody = z.object({
  model: optional(z.string()).describe('Echoed back as the model that makes the vectors, for any value here'),
  input: z.union([text, z.array(text).min(1).max(MAX_TEXTS)], {
    error: `must be a text, or 1 to ${MAX_TEXTS} of them, each of 1 to ${MAX_TEXT_LENGTH} characters`,
  }),
  encoding_format: optional(z.enum(['float', 'base64'])),
  dimensions: optional(z.int().min(1)).describe('Only that of the model: the knowledge base says it'),
  user: optional(z.string()),
});

export const embeddingList = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        object: z.literal('embedding'),
        index: z.int(),
        embedding: z.union([z.array(z.number()), z.string()]).describe('As base64: 32-bit floats, little-endian'),
      }),
    ),
    model: z.string(),
    usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }).describe('Estimated'),
  })
  .meta({ id: 'EmbeddingList' });
