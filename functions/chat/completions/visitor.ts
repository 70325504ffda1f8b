import type * as z from 'zod';
import { type FailureCode, ModelFailed } from '../domain/chat-model.ts';
import type { CompletionPart } from '../domain/complete.ts';
import type { completionBody } from './schemas.ts';

/** The input of visitors with a public token, and the parts of an answer that they may see. */

type Body = z.output<typeof completionBody>;

/**
 * The effective part of a visitor's request: the text and the files of its user, and the form of the answer. The model, its parameters,
 * tools and all other roles are the application's. Messages before the last answer are the client's memory: only a session has a history
 * that a visitor cannot invent.
 * @throws ModelFailed
 */
export function visitorBody({ messages, stream, stream_options }: Body): Body {
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant');
  const said = messages.slice(lastAnswer + 1).flatMap((message): Body['messages'] => {
    if (message.role !== 'user') return [];
    const { content } = message;
    return [{ role: 'user', content: typeof content === 'string' ? content : content.map(plainPart), name: undefined }];
  });
  if (said.length === 0) throw new ModelFailed('invalid_request', 'messages: the last one must be of the role user.');
  return { messages: said, stream, stream_options, stop: [] } as unknown as Body;
}

type Part = Exclude<Extract<Body['messages'][number], { role: 'user' }>['content'], string>[number];

/** How closely a model looks at an image is a matter of its price. */
function plainPart(part: Part): Part {
  return part.type === 'image_url' ? { ...part, image_url: { url: part.image_url.url, detail: undefined } } : part;
}

/** The parts of an answer without the application's internals: reasoning, tools, and the provider's messages. */
export async function* visitorParts(parts: AsyncIterable<CompletionPart>): AsyncGenerator<CompletionPart> {
  try {
    for await (const part of parts)
      switch (part.kind) {
        case 'reasoning':
        case 'opaque':
          break;
        case 'tool_calls':
          yield { kind: 'tool_calls', calls: part.calls.map(({ opaque: _, ...call }) => call) };
          break;
        case 'retry':
          yield { ...part, message: FAILURES[part.code] };
          break;
        case 'text':
          yield { kind: 'text', text: part.text };
          break;
        case 'usage': {
          const { prompt_tokens, completion_tokens, total_tokens } = part.usage;
          yield { kind: 'usage', usage: { prompt_tokens, completion_tokens, total_tokens } };
          break;
        }
        default:
          yield part;
      }
  } catch (error) {
    if (!(error instanceof ModelFailed)) throw error;
    const { code, isPassing, retryAfterSeconds } = error;
    throw new ModelFailed(code, FAILURES[code], { isPassing, retryAfterSeconds, cause: error });
  }
}

const FAILURES: Readonly<Record<FailureCode, string>> = {
  budget_used_up: 'The budget of this chatbot is used up. Try again later.',
  insufficient_balance: 'The chatbot cannot answer at the moment. Try again later.',
  rate_limit: 'The chatbot is asked too much at the moment. Try again later.',
  session_busy: 'The chatbot is still answering earlier messages. Wait for its answers, then send this one again.',
  context_overflow: 'The conversation is too long for the chatbot. Send less, or start a new session.',
  tool_error: 'The chatbot could not complete this answer. Try again.',
  timeout: 'The chatbot took too long to answer. Try again.',
  provider_error: 'The chatbot cannot answer at the moment. Try again later.',
  auth_error: 'The chatbot cannot answer at the moment. Try again later.',
  invalid_request:
    'The chatbot cannot take this message. Check its files, and that its images can be fetched; at most 10 come by address.',
};
