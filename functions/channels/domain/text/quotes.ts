import type { InboundMessage, Quote } from '../inbound-message.ts';

/** A message as a model reads it: the messages that it is about as quotes, then its own words. */
export function withQuotes({ quotes = [], text }: Pick<InboundMessage, 'quotes' | 'text'>): string {
  return [...quotes.map(quoted), text].filter((each) => each !== '').join('\n');
}

/** Every line is marked, so that no text of someone else ends its quote. */
function quoted({ kind, author, text }: Quote): string {
  const lines = text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  return [
    `[${labelOf(kind, author.replaceAll(/[\s\u0085[\]]+/g, ' ').trim())}]`,
    ...lines.map((line) => `> ${line}`),
  ].join('\n');
}

function labelOf(kind: Quote['kind'], author: string): string {
  switch (kind) {
    case 'reply':
      return `in reply to ${author || 'a message'}`;
    case 'forward':
      return author === '' ? 'forwarded message' : `forwarded from ${author}`;
    case 'embed':
      return author === '' ? 'shown in the message' : `shown in the message, from ${author}`;
  }
}
