import { boundedJson } from '../../shared/bounded-json.ts';
import type { ChatMessage, ToolCall } from './messages.ts';

const MAX_SHOWN_LENGTH = 1_000;

/**
 * Messages whose calls all have a JSON object as arguments. Providers refuse a whole conversation for one call without: such a call is
 * shown without arguments, and its result quotes the model's text.
 * @param messages whose calls are all followed by their results.
 */
export function withSoundArguments(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const broken = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === 'tool') {
      const written = broken.get(message.tool_call_id);
      return written === undefined ? message : { ...message, content: withNote(message.content, noteOn(written)) };
    }
    if (message.role !== 'assistant' || !message.tool_calls) return message;
    const tool_calls = message.tool_calls.map((call): ToolCall => {
      const written = call.function?.arguments;
      if (written === undefined || isJsonObject(written)) return call;
      if (written.trim() !== '') broken.set(call.id, written);
      return { ...call, function: { ...call.function!, arguments: '{}' } };
    });
    return { ...message, tool_calls };
  });
}

function isJsonObject(text: string): boolean {
  try {
    const value = boundedJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function noteOn(written: string): string {
  return `[The arguments of this call were not a JSON object and are shown as {}. They were: ${written.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}]`;
}

type ToolContent = Extract<ChatMessage, { role: 'tool' }>['content'];

function withNote(content: ToolContent, note: string): ToolContent {
  return typeof content === 'string' ? `${note}\n${content}` : [{ type: 'text', text: note }, ...content];
}
