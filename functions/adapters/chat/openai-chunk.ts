import * as z from 'zod';
import { boundedJson } from '../../shared/bounded-json.ts';
import { garbage } from './provider-failures.ts';
import { errorIn } from './said-errors.ts';
import type { ServerSentEvent } from './sse-events.ts';

/** Chunks and whole answers of servers with OpenAI's API. */

const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().catch(undefined);

/** Some servers send the arguments parsed. */
const callArguments = z
  .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
  .nullish();

const calledFunction = z.object({ name: nullable(z.string()), arguments: callArguments });

const callDelta = z.looseObject({
  index: nullable(z.int().nonnegative()),
  id: nullable(z.string()),
  type: nullable(z.string()),
  function: calledFunction.nullish(),
  custom: z.object({ name: nullable(z.string()), input: callArguments }).nullish(),
});

const message = z.looseObject({
  /** Read by `partsOfContent`. */
  content: z.unknown().optional(),
  refusal: z.string().nullish(),
  reasoning_content: nullable(z.string()),
  reasoning: nullable(z.string()),
  tool_calls: z.array(callDelta).nullish(),
  function_call: calledFunction.nullish(),
  audio: z.unknown().optional(),
  images: nullable(z.array(z.unknown())),
  annotations: nullable(z.array(z.unknown())),
});

const count = nullable(z.number().nonnegative().transform(Math.round));
const usage = z.looseObject({ prompt_tokens: count, completion_tokens: count, total_tokens: count });
const source = z.object({ url: z.string(), title: nullable(z.string()) });

const chunk = z.object({
  choices: z
    .array(
      z.object({
        index: nullable(z.int()),
        delta: message.nullish(),
        message: message.nullish(),
        text: z.string().nullish(),
        finish_reason: nullable(z.string()),
        logprobs: nullable(z.looseObject({})),
      }),
    )
    .nullish(),
  usage: nullable(usage),
  /** Of Perplexity and xAI, which repeat them with each chunk: addresses, and the same with titles. */
  citations: nullable(z.array(z.union([z.string(), source]))),
  search_results: nullable(z.array(source)),
});

export type CallDelta = z.output<typeof callDelta>;
export type SaidMessage = z.output<typeof message>;
export type SaidUsage = z.output<typeof usage>;
export type Chunk = z.output<typeof chunk>;

/** The error of an event, if it is one; its chunk otherwise. @throws ModelFailed for anything else. */
export function chunkOf({ name, data }: ServerSentEvent): { readonly error: unknown } | Chunk {
  const value = jsonOf(data);
  const error = value === undefined ? undefined : errorIn(value);
  if (error !== undefined) return { error };
  if (name === 'error') return { error: value ?? data };
  const { data: parsed, error: fault } = chunk.safeParse(value);
  if (fault) throw garbage(fault);
  return parsed;
}

function jsonOf(text: string): unknown {
  try {
    return boundedJson(text);
  } catch {
    return undefined;
  }
}
