import { type FailureCode, ModelFailed, type Usage } from '../chat/domain/chat-model.ts';
import type { EventPart, WorkflowAnswers, WorkflowQuestion } from '../chat/domain/complete-by-workflow.ts';
import { memoize } from '../shared/memoize.ts';
import type { Output } from './domain/engine/engine-events.ts';
import type { RunMachine } from './domain/engine/run-machine.ts';
import type { JsonObject } from './domain/graph/graph.ts';
import { type CheckedRun, checkedRun } from './domain/run/begin-run.ts';
import { customerNotice } from './domain/run/customer-notice.ts';
import { graphToRun } from './domain/run/graph-to-run.ts';
import { type KeptVariables, MAX_UNENDED_RUNS, withLaterChanges } from './domain/run/later-changes.ts';
import { streamRun } from './domain/run/run-parts.ts';
import { RunRefused } from './domain/run/run-refused.ts';
import { WorkflowRefused } from './domain/workflow-refused.ts';
import { shownEvent } from './shown-values.ts';
import { runPorts, workflows } from './wiring.ts';

/** Failures that chat knows by their own codes; all others are those of a node. */
const KNOWN: readonly string[] = [
  'rate_limit',
  'budget_used_up',
  'insufficient_balance',
  'context_overflow',
  'timeout',
  'provider_error',
  'auth_error',
];
/** Nodes' inputs and outputs, and what people of the workspace are asked, belong to the workspace: visitors get only the answer. */
const HIDDEN_FROM_VISITORS = [
  'inputs',
  'outputs',
  'variables',
  'failure',
  'message',
  'fields',
  'actions',
  'query',
  'documents',
  'thought',
  'arguments',
  'arguments_delta',
  'result',
];

/** Published graphs, for the messages of chats. */
export const workflowAnswers = memoize((): WorkflowAnswers => {
  const ports = runPorts();
  const stored = { workflows: workflows() };
  return {
    async *answer(question, signal) {
      const kept = await withLaterChanges(question.workspaceId, question as WorkflowQuestion & KeptVariables, ports);
      const checked = await toRun({ ...question, variables: kept.variables });
      const isVisitor = question.caller.kind === 'public-token';
      const streamed = streamRun(checked, { deadlineMs: question.deadlineMs, client: signal }, ports);
      let hasText = false;
      let next = await streamed.next();
      for (; !next.done; next = await streamed.next()) {
        hasText ||= next.value.kind === 'text';
        yield toPart(next.value, checked, isVisitor);
      }
      const { machine } = next.value;
      requireSuccess(machine);
      const notice = customerNotice(machine, { query: question.query, hasText });
      if (notice !== '') yield { kind: 'text', text: notice };
      const variables = machine.conversation;
      const unended = machine.status === 'running' && Object.keys(variables).length > 0;
      const unendedRuns = [...kept.unendedRuns, ...(unended ? [{ runId: checked.head.runId, variables }] : [])];
      return { usage: toUsage(machine), variables, unendedRuns: unendedRuns.slice(-MAX_UNENDED_RUNS) };
    },
  };

  async function toRun({ workspaceId, workflowId, applicationId, sessionId, caller, ...rest }: WorkflowQuestion) {
    try {
      const chosen = await graphToRun({ workspaceId, workflowId }, 'published', stored);
      const { query, files, history } = rest;
      const trigger = { kind: 'chat', caller, applicationId, sessionId } as const;
      const inputs = rest.inputs as JsonObject;
      const conversation = rest.variables as JsonObject;
      const asked = { inputs, query, files, history, conversation, trigger };
      return checkedRun({ workspaceId, workflowId, ...chosen, ...asked }, ports);
    } catch (error) {
      if (error instanceof RunRefused && error.fields) {
        const fields = Object.entries(error.fields).map(([name, message]) => `start_node_inputs.${name}: ${message}`);
        throw new ModelFailed('invalid_request', `${fields.join('; ')}.`, { cause: error });
      }
      if (error instanceof RunRefused || error instanceof WorkflowRefused)
        throw new ModelFailed('invalid_request', error.message, { cause: error });
      throw error;
    }
  }
});

function toPart(output: Output, { head }: CheckedRun, isVisitor: boolean): EventPart | { kind: 'text'; text: string } {
  if (output.kind === 'text') return output;
  const shown = isVisitor
    ? Object.fromEntries(Object.entries(output.payload).filter(([name]) => !HIDDEN_FROM_VISITORS.includes(name)))
    : output.payload;
  const run = isVisitor ? {} : { run_id: head.runId };
  return { kind: 'event', type: output.type, payload: { ...shownEvent(shown), ...run } };
}

/** @throws ModelFailed */
function requireSuccess({ status, failure }: RunMachine): void {
  if (status === 'cancelled') throw new ModelFailed('tool_error', 'The run of the workflow was cancelled.');
  if (failure === null) return;
  const code = KNOWN.includes(failure.code) ? (failure.code as FailureCode) : 'tool_error';
  const where = failure.title === null ? '' : `Node ${JSON.stringify(failure.title)}: `;
  throw new ModelFailed(code, `${where}${failure.message}`);
}

function toUsage({ cost: { promptTokens, completionTokens } }: RunMachine): Usage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
