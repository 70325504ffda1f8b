import { type FailureCode, ModelFailed, type Usage } from '../chat/domain/chat-model.ts';
import type {
  EventPart,
  WorkflowAnswer,
  WorkflowAnswers,
  WorkflowQuestion,
} from '../chat/domain/complete-by-workflow.ts';
import type { Output } from './domain/engine/engine-events.ts';
import type { RunMachine } from './domain/engine/run-machine.ts';
import type { JsonObject } from './domain/graph/graph.ts';
import { type CheckedRun, checkedRun } from './domain/run/begin-run.ts';
import { type ConversationPorts, streamAsLeft, streamForConversation } from './domain/run/conversation-run.ts';
import { customerNotice } from './domain/run/customer-notice.ts';
import type { DriveOptions } from './domain/run/drive-ports.ts';
import { graphToRun } from './domain/run/graph-to-run.ts';
import { type KeptVariables, MAX_UNENDED_RUNS, withLaterChanges } from './domain/run/later-changes.ts';
import type { RecordedRun, RunHead } from './domain/run/run.ts';
import { replayRun, type StreamedRun, type StreamPorts, streamLater, streamRun } from './domain/run/run-parts.ts';
import type { Runs } from './domain/run/run-ports.ts';
import { RunRefused } from './domain/run/run-refused.ts';
import type { Workflows } from './domain/workflow-ports.ts';
import { WorkflowRefused } from './domain/workflow-refused.ts';
import { RETRY_AFTER_SECONDS } from './http-errors.ts';
import { HIDDEN_FROM_VISITORS, shownEvent } from './shown-values.ts';

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
type Open = Parameters<NonNullable<WorkflowAnswer['later']>>[0];
type StreamOptions = DriveOptions & { readonly client: AbortSignal };

type ChatAnswerPorts = StreamPorts &
  ConversationPorts & {
    readonly runs: Pick<Runs, 'findByKey' | 'read'>;
    readonly workflows: Workflows;
  };

/** Published graphs, for the messages of chats. */
export function workflowAnswers(ports: ChatAnswerPorts): WorkflowAnswers {
  return {
    async *answer(asked, signal) {
      const isVisitor = asked.caller.kind === 'public-token';
      const { known, earlier } = await earlierRun(asked);
      const chosen = earlier === null ? await publishedGraph(asked) : null;
      // Messages that change the same variables are answered one after another.
      const hasVariables = (chosen?.graph.conversation ?? []).length > 0;
      const question = hasVariables && asked.takeTurn ? { ...asked, ...(await asked.takeTurn()) } : asked;
      const kept = await withLaterChanges(question.workspaceId, question as WorkflowQuestion & KeptVariables, ports);
      const options = { deadlineMs: asked.deadlineMs, client: signal };
      const { head, outputs } =
        chosen === null
          ? await resumed(earlier!, options)
          : await begun(toRun({ ...question, variables: kept.variables }, chosen, known), options);
      let hasText = false;
      let next = await outputs.next();
      for (; !next.done; next = await outputs.next()) {
        hasText ||= next.value.kind === 'text';
        yield toPart(next.value, head, isVisitor);
      }
      const { machine, nextEntry } = next.value;
      requireSuccess(machine);
      const notice = customerNotice(machine, { query: question.query, hasText });
      if (notice !== '') yield { kind: 'text', text: notice };
      const variables = machine.conversation;
      const unended = machine.status === 'running' && Object.keys(variables).length > 0;
      const later =
        nextEntry === null || machine.status !== 'running'
          ? null
          : (open: Open) => laterParts(head, { machine, nextEntry }, { ...open, ...options, isVisitor });
      const unendedRuns = [...kept.unendedRuns, ...(unended ? [{ runId: head.runId, variables }] : [])];
      return { usage: toUsage(machine), variables, unendedRuns: unendedRuns.slice(-MAX_UNENDED_RUNS), later };
    },
  };

  /** After the notice, as a separate paragraph. */
  async function* laterParts(head: RunHead, left: StreamedRun, options: Open & StreamOptions & { isVisitor: boolean }) {
    let hasText = false;
    const outputs = streamLater(head, left, options, ports);
    for await (const output of outputs) {
      if (output.kind !== 'text') yield toPart(output, head, options.isVisitor);
      else {
        const text: string = hasText ? output.text : output.text.trimStart();
        if (text !== '') yield { kind: 'text', text: hasText ? text : `\n\n${text}` } as const;
        hasText ||= text !== '';
      }
    }
    requireSuccess(left.machine);
  }

  /** The run that an earlier attempt at the same message has started; null: there is none, or it has failed. */
  async function earlierRun({ workspaceId, workflowId, origin }: WorkflowQuestion) {
    const known = origin ? await ports.runs.findByKey(workspaceId, workflowId, origin.key) : null;
    const run = known && (await ports.runs.read({ workspaceId, runId: known.runId }));
    return { known, earlier: run && !['failed', 'cancelled'].includes(run.head.status) ? run : null };
  }

  /** @throws ModelFailed */
  async function resumed(earlier: RecordedRun, options: StreamOptions) {
    const { head } = earlier;
    if (head.said !== undefined) return { head, outputs: streamAsLeft(earlier) };
    const replayed = await replayRun(earlier, options, ports).catch(throwModelFailure);
    return { head, outputs: streamForConversation(head, replayed, ports) };
  }

  /** @throws ModelFailed */
  async function begun(checked: CheckedRun, options: StreamOptions) {
    const { head } = checked;
    const streamed = await streamRun(checked, options, ports).catch(throwModelFailure);
    return { head, outputs: streamForConversation(head, streamed, ports) };
  }

  /** @throws ModelFailed */
  async function publishedGraph({ workspaceId, workflowId }: WorkflowQuestion) {
    try {
      return await graphToRun({ workspaceId, workflowId }, 'published', ports);
    } catch (error) {
      throw toModelFailure(error);
    }
  }

  /** @throws ModelFailed */
  function toRun(
    question: WorkflowQuestion,
    chosen: Awaited<ReturnType<typeof graphToRun>>,
    known: object | null,
  ): CheckedRun {
    const { workspaceId, workflowId, applicationId, sessionId, caller, turnId, isKept, origin, ...rest } = question;
    try {
      const { query, files, history } = rest;
      const conversation = { turnId, isKept, ...(origin && { origin: origin.place as JsonObject }) };
      const trigger = {
        ...({ kind: 'chat', caller, applicationId, sessionId } as const),
        ...((isKept || origin) && { conversation }),
      };
      const key = origin && known === null ? { key: origin.key, bodyHash: '' } : null;
      const inputs = rest.inputs as JsonObject;
      const variables = rest.variables as JsonObject;
      const asked = { inputs, query, files, history, conversation: variables, trigger, key };
      return checkedRun({ workspaceId, workflowId, ...chosen, ...asked }, ports);
    } catch (error) {
      throw toModelFailure(error);
    }
  }
}

function throwModelFailure(error: unknown): never {
  throw toModelFailure(error);
}

function toModelFailure(error: unknown): unknown {
  if (error instanceof RunRefused && error.inputs.length > 0) {
    const fields = error.inputs.map(({ field, fault }) => `start_node_inputs.${field}: ${fault.en}`);
    return new ModelFailed('invalid_request', `${fields.join('; ')}.`, { cause: error });
  }
  if (error instanceof RunRefused && error.refusal === 'too_many_runs')
    return new ModelFailed('rate_limit', error.message, {
      ...{ isPassing: true, retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error },
    });
  if (error instanceof RunRefused || error instanceof WorkflowRefused)
    return new ModelFailed('invalid_request', error.message, { cause: error });
  return error;
}

function toPart(output: Output, { runId }: RunHead, isVisitor: boolean): EventPart | { kind: 'text'; text: string } {
  if (output.kind === 'text') return output;
  const shown = isVisitor
    ? Object.fromEntries(Object.entries(output.payload).filter(([name]) => !HIDDEN_FROM_VISITORS.includes(name)))
    : output.payload;
  const run = isVisitor ? {} : { run_id: runId };
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
