import { textField } from '../graph/fields.ts';
import type { JsonObject } from '../graph/graph.ts';
import { nodeSeconds } from '../graph/node-seconds.ts';
import { withoutData } from '../graph/value-texts.ts';
import {
  type NodeCall,
  type NodeEffects,
  NodeFailed,
  type NodeResult,
  type NodeSurroundings,
} from '../run/node-effects.ts';
import { askAgent } from './ask-agent.ts';
import { callTool } from './call-tool.ts';
import { classify } from './classify.ts';
import type { EffectPorts } from './effect-ports.ts';
import { extractDocument } from './extract-document.ts';
import { extractParameters } from './extract-parameters.ts';
import { operateList } from './operate-list.ts';
import { readTable } from './read-table.ts';
import { requestWeb } from './request-web.ts';
import { runCode } from './run-code.ts';
import { searchKnowledge } from './search-knowledge.ts';

/** Performs nodes by their type, each within its time. */
export function nodeEffects(ports: EffectPorts): NodeEffects {
  return {
    async perform(call, surroundings) {
      const seconds = nodeSeconds(call.node);
      const timeout = new AbortController();
      const over = new AbortController();
      const late = new NodeFailed('timeout', `The node took longer than ${seconds} seconds.`, { isPassing: true });
      const timing = ports.ask.pause.wait(seconds * 1000, over.signal).then(() => {
        if (!over.signal.aborted) timeout.abort(late);
      });
      const signal = AbortSignal.any([surroundings.signal, timeout.signal]);
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
      aborted.catch(() => undefined);
      try {
        signal.throwIfAborted();
        return await Promise.race([performed(call, { ...surroundings, signal }, ports), aborted]);
      } finally {
        over.abort();
        await timing;
      }
    },
  };
}

async function performed(call: NodeCall, surroundings: NodeSurroundings, ports: EffectPorts): Promise<NodeResult> {
  const { signal } = surroundings;
  switch (call.node.type) {
    case 'template':
      return ports.templates
        .render(
          textField(call.config, 'template'),
          withoutData(call.inputs) as JsonObject,
          call.config.syntax === 'jinja2' ? 'jinja2' : 'liquid',
          { tenant: call.run.workspaceId, signal },
        )
        .then((text) => ({ outputs: { text } }));
    case 'list_operator':
      return operateList(call);
    case 'document_extractor':
      return extractDocument(call, signal, ports);
    case 'parameter_extractor':
      return extractParameters(call, surroundings, ports);
    case 'sub_workflow':
      return ports.subWorkflows.run(call, surroundings);
    case 'code':
      return runCode(call, signal, ports);
    case 'extract':
      return readTable(call, signal, ports);
    case 'http_request':
      return requestWeb(call, signal, ports);
    case 'knowledge_search':
      return searchKnowledge(call, surroundings, ports);
    case 'classifier':
      return classify(call, surroundings, ports);
    case 'agent':
      return askAgent(call, surroundings, ports);
    case 'tool':
      return callTool(call, surroundings, ports);
    default:
      throw new NodeFailed('unsupported', `Nodes of type ${call.node.type} cannot be run.`);
  }
}
