import type { ProgressPayloads } from '../../../shared/stream-events.ts';
import { toFileResponse } from '../answer-files.ts';
import type { ToolPart } from './agent.ts';

export function isToolPart(part: { readonly kind: string }): part is ToolPart {
  return part.kind === 'agent_thought' || part.kind.startsWith('tool_call_');
}

/**
 * The event of a stream that shows a part, in chats and in runs of workflows alike; its type is the part's kind.
 * @param showsTools false for visitors of a public chatbot: they see which tools run, not what goes in and out.
 */
export function toolEvent(part: ToolPart, showsTools: boolean): ProgressPayloads[ToolPart['kind']] {
  switch (part.kind) {
    case 'agent_thought':
      return { step: part.step, tools: [...part.tools], ...(showsTools && { thought: part.thought }) };
    case 'tool_call_started':
      return { call_id: part.callId, name: part.name };
    case 'tool_call_delta':
      return { call_id: part.callId, ...(showsTools && { arguments_delta: part.argumentsDelta }) };
    case 'tool_call_finished': {
      const { call, name, status, text, failure, files, elapsedMs } = part.finished;
      return {
        call_id: call.id,
        name,
        status,
        elapsed_ms: elapsedMs,
        ...(showsTools && { arguments: call.function?.arguments ?? '', result: text }),
        ...(files.length > 0 && { files: files.map(toFileResponse) }),
        ...(failure && { failure: showsTools ? failure : { code: failure.code } }),
      };
    }
  }
}
