import { ModelFailed } from '../../../chat/domain/chat-model.ts';
import type { Tool } from '../../../chat/domain/tools/tool.ts';
import { NodeFailed } from '../run/node-effects.ts';
import type { AgentModel, EffectPorts } from './effect-ports.ts';

/** The tools of an application that a node names. @throws NodeFailed */
export async function chooseTools(
  names: readonly string[],
  application: AgentModel,
  signal: AbortSignal,
  { tools }: Pick<EffectPorts, 'tools'>,
): Promise<readonly Tool[]> {
  if (names.length === 0) return [];
  const there = await tools.of(application, signal).catch((error: unknown) => {
    if (!(error instanceof ModelFailed)) throw error;
    throw new NodeFailed('tool_error', error.message, { isPassing: true, cause: error });
  });
  return names.map((name) => {
    const tool = there.find((each) => each.name === name);
    if (tool !== undefined) return tool;
    const others = there.length === 0 ? 'none' : there.map((each) => each.name).join(', ');
    throw new NodeFailed(
      'unknown_tool',
      `The application of config.application_id has no tool ${name}; it has ${others}.`,
    );
  });
}
