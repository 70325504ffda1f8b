import { CallIds, callIdsOf } from './call-ids.ts';
import type { ChatMessage, ToolCall } from './messages.ts';

type ToolMessage = Extract<ChatMessage, { role: 'tool' }>;

/**
 * Messages in which every call of a tool is followed by its results, as models demand: results move to their calls across interleaved
 * requests; calls without a result and results without a call are left out. Ids become unique, even if a provider or a client repeated
 * them.
 */
export function pairedCalls(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const results = resultsOf(messages);
  const ids = new CallIds({ reserved: callIdsOf(messages) });
  return messages.flatMap((message): ChatMessage[] => {
    if (message.role === 'tool') return [];
    if (message.role !== 'assistant' || !message.tool_calls?.length) return [message];
    const answered = message.tool_calls.map((call) => [call, results.get(call)] as const);
    const { tool_calls: _, ...rest } = message;
    if (answered.some(([, result]) => result === undefined)) return rest.content ? [rest] : [];
    const renamed = answered.map(([call, result]) => {
      const id = ids.take(call.id);
      return { call: { ...call, id }, result: { ...result!, tool_call_id: id } };
    });
    return [{ ...rest, tool_calls: renamed.map(({ call }) => call) }, ...renamed.map(({ result }) => result)];
  });
}

/**
 * The result of each call. Ids come again in later turns: the results between two calls of one id belong to the newest calls
 * before them, in order, so that an older call whose result never came takes none of theirs.
 */
function resultsOf(messages: readonly ChatMessage[]): ReadonlyMap<ToolCall, ToolMessage> {
  const results = new Map<ToolCall, ToolMessage>();
  const byId = new Map<string, { open: ToolCall[]; waiting: ToolMessage[] }>();
  const settle = ({ open, waiting }: { open: ToolCall[]; waiting: ToolMessage[] }) => {
    const answered = waiting.length === 0 ? [] : open.splice(-waiting.length);
    // Of results sent twice for one call, the newest counts.
    const newest = waiting.splice(0).slice(-answered.length);
    for (const [index, call] of answered.entries()) results.set(call, newest[index]!);
  };
  const groupOf = (id: string) => {
    const group = byId.get(id) ?? { open: [], waiting: [] };
    byId.set(id, group);
    return group;
  };
  for (const message of messages) {
    if (message.role === 'tool') groupOf(message.tool_call_id).waiting.push(message);
    if (message.role !== 'assistant') continue;
    const calls = message.tool_calls ?? [];
    for (const { id } of calls) settle(groupOf(id));
    for (const call of calls) groupOf(call.id).open.push(call);
  }
  for (const group of byId.values()) settle(group);
  return results;
}
