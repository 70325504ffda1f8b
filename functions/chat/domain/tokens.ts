import type { ChatMessage } from './messages.ts';

/** Tokens of a message's own frame: its role and separators. */
const MESSAGE_TOKENS = 4;
/** Of an image, an audio or a file of any size: providers count each differently. */
const ATTACHMENT_TOKENS = 1_000;

/**
 * Tokens of a text, estimated on the safe side: tokenizers make one of about four ASCII characters, and of about one
 * Hangul syllable or ideograph.
 */
export function estimateTokens(text: string): number {
  let ascii = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 128) ascii += 1;
  return Math.ceil(ascii / 4 + (text.length - ascii));
}

export function messageTokens(message: ChatMessage): number {
  const { content } = message;
  let tokens = MESSAGE_TOKENS;
  if (typeof content === 'string') tokens += estimateTokens(content);
  else for (const part of content ?? []) tokens += part.type === 'text' ? estimateTokens(part.text) : ATTACHMENT_TOKENS;
  if (message.role === 'assistant') {
    // Reasoning goes back to the model only together with calls.
    if (message.tool_calls?.length) tokens += estimateTokens(message.reasoning_content ?? '');
    for (const call of message.tool_calls ?? [])
      tokens += estimateTokens(JSON.stringify(call.function ?? call.custom ?? {}));
  }
  return tokens;
}

/** As few tokens as messages can possibly have: beyond the context window even so, no model takes them. */
export function leastTokens(messages: readonly ChatMessage[]): number {
  return Math.floor(messages.reduce((sum, message) => sum + textTokens(message), 0) / 2);
}

function textTokens({ content }: ChatMessage): number {
  if (typeof content === 'string') return estimateTokens(content);
  return (content ?? []).reduce((sum, part) => sum + (part.type === 'text' ? estimateTokens(part.text) : 0), 0);
}
