import type { ModelRequest, ResponseFormat, ToolChoice } from '../domain/chat-model.ts';
import type { ChatMessage, Content, ContentPart, ToolCall } from '../domain/messages.ts';
import { withCarried } from './carried-members.ts';
import type { ResponseBody } from './schemas.ts';
import { flatName, type ResponseTools } from './tools.ts';

type Item = Exclude<ResponseBody['input'], string>[number];
type ItemContent = Extract<Item, { role: string }>['content'];

/** The model request for a request for a response. */
export function toResponseRequest(body: ResponseBody, { definitions, leftOut }: ResponseTools): ModelRequest {
  const { instructions, input, tool_choice, text, reasoning, temperature, top_p, max_output_tokens } = body;
  const { parallel_tool_calls, user, safety_identifier, prompt_cache_key, service_tier } = body;
  const more = {
    parallel_tool_calls,
    user,
    safety_identifier,
    prompt_cache_key,
    service_tier,
    reasoning_effort: reasoning?.effort,
    verbosity: text?.verbosity,
  };
  return {
    messages: [
      ...(instructions ? [{ role: 'system', content: instructions } as const] : []),
      ...(typeof input === 'string' ? [{ role: 'user', content: input } as const] : toMessages(input)),
    ],
    temperature: temperature ?? null,
    topP: top_p ?? null,
    maxTokens: max_output_tokens ?? null,
    stop: [],
    tools: definitions,
    toolChoice: toToolChoice(tool_choice, leftOut),
    responseFormat: toResponseFormat(text?.format),
    more: Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)),
  };
}

/** Texts, reasoning and calls that follow each other are one answer. */
function toMessages(items: readonly Item[]): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  const addToAnswer = (part: Partial<Extract<ChatMessage, { role: 'assistant' }>>) => {
    const last = messages.at(-1);
    const takesIt = last?.role === 'assistant' && (part.content === undefined || !last.tool_calls);
    if (!takesIt) return void messages.push({ role: 'assistant', content: null, ...part });
    const tool_calls = [...(last.tool_calls ?? []), ...(part.tool_calls ?? [])];
    messages.splice(-1, 1, {
      ...last,
      ...part,
      ...(part.content !== undefined && { content: joined(last.content, part.content) }),
      ...(tool_calls.length > 0 && { tool_calls }),
    });
  };
  for (const item of items)
    switch (item.type) {
      case 'function_call':
        addToAnswer({ tool_calls: [toCall(item)] });
        break;
      case 'custom_tool_call':
        addToAnswer({
          tool_calls: [
            {
              id: item.call_id,
              type: 'custom',
              custom: { name: flatName(item.name, item.namespace), input: item.input },
            },
          ],
        });
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
        messages.push({ role: 'tool', tool_call_id: item.call_id, content: toContent(item.output) });
        break;
      case 'reasoning': {
        const parts = item.content?.length ? item.content : (item.summary ?? []);
        const text = parts.map((part) => part.text).join('\n');
        if (text !== '') messages.push({ role: 'assistant', content: null, reasoning_content: text });
        const answered = messages.findLastIndex(({ role }) => role === 'assistant');
        const answer = messages[answered];
        if (item.encrypted_content && answer?.role === 'assistant')
          messages.splice(answered, 1, withCarried(answer, item.encrypted_content));
        break;
      }
      default:
        if (item.role === 'assistant') addToAnswer({ content: toContent(item.content) });
        else messages.push({ role: item.role, content: toContent(item.content) });
    }
  // Reasoning alone is not a message.
  return messages.filter((message) => message.role !== 'assistant' || message.content || message.tool_calls);
}

function joined(a: Content | null | undefined, b: Content | null): Content | null {
  if (!a?.length) return b;
  const parts = (content: Content): readonly ContentPart[] =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return b?.length ? [...parts(a), ...parts(b)] : a;
}

function toCall({ call_id: id, name, namespace, arguments: args }: Extract<Item, { type: 'function_call' }>): ToolCall {
  return { id, type: 'function', function: { name: flatName(name, namespace), arguments: args } };
}

function toContent(content: ItemContent): Content {
  if (typeof content === 'string') return content;
  return content.map((part): ContentPart => {
    switch (part.type) {
      case 'refusal':
        return part;
      case 'input_image': {
        const { image_url: url, detail } = part;
        return { type: 'image_url', image_url: { url, ...(detail !== undefined && { detail }) } };
      }
      case 'input_file': {
        const { file_data, filename } = part;
        return { type: 'file', file: { file_data, ...(filename !== undefined && { filename }) } };
      }
      default:
        return { type: 'text', text: part.text };
    }
  });
}

function toToolChoice(choice: ResponseBody['tool_choice'], leftOut: readonly string[]): ToolChoice | null {
  if (choice === undefined || typeof choice === 'string') return choice ?? null;
  const { type, name, namespace } = choice;
  if (leftOut.includes(type)) return null;
  const isNamed = (type === 'function' || type === 'custom') && name !== undefined;
  return isNamed ? { type, [type]: { name: flatName(name, namespace) } } : { ...choice, type };
}

function toResponseFormat(format: NonNullable<ResponseBody['text']>['format'] | undefined): ResponseFormat | null {
  if (format === undefined || format.type === 'text') return null;
  if (format.type === 'json_object') return { type: 'json_object' };
  const { type, ...json_schema } = format;
  return { type, json_schema };
}
