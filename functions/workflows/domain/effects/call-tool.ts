import { boundedText } from '../../../chat/domain/tools/run-tools.ts';
import { ToolFailed, type ToolFailureCode } from '../../../chat/domain/tools/tool.ts';
import { exactJson } from '../graph/exact-json.ts';
import { objectField, textField } from '../graph/fields.ts';
import { leftFile } from '../graph/files.ts';
import type { Json } from '../graph/graph.ts';
import { effectKey, type NodeCall, NodeFailed, type NodeResult, type NodeSurroundings } from '../run/node-effects.ts';
import { modelOf } from './ask-agent.ts';
import { chooseTools } from './choose-tools.ts';
import type { EffectPorts } from './effect-ports.ts';
import { keyIdOf } from './key-id.ts';

/** Of a result, in characters. */
const MAX_RESULT_LENGTH = 200_000;
const PASSING: readonly ToolFailureCode[] = ['timeout', 'unavailable'];

/** Calls one tool of an application, without a model. */
export async function callTool(
  call: NodeCall,
  { signal, deadlineMs }: NodeSurroundings,
  ports: Pick<EffectPorts, 'agentModels' | 'tools'>,
): Promise<NodeResult> {
  const { config, run } = call;
  const application = await modelOf(call, ports);
  const [tool] = await chooseTools([textField(config, 'tool')], application, signal, ports);
  const context = {
    workspaceId: run.workspaceId,
    applicationId: application.applicationId,
    keyId: keyIdOf(call),
    requestKey: effectKey(call),
    messages: [],
    deadlineMs,
    signal,
  };
  try {
    const { text: whole, files = [] } = await tool!.run(objectField(config, 'arguments'), context);
    const text = boundedText(whole, MAX_RESULT_LENGTH);
    return { outputs: { text, result: parsed(text), ...(files.length > 0 && { files: files.map(leftFile) }) } };
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error;
    const { code, message } = error;
    throw new NodeFailed('tool_error', `The tool ${tool!.name} failed (${code}): ${message}`, {
      isPassing: PASSING.includes(code),
      cause: error,
    });
  }
}

/** Valid JSON, parsed; anything else as text. */
function parsed(text: string): Json {
  try {
    return exactJson(text, (digits) => digits);
  } catch {
    return text;
  }
}
