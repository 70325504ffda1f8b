import { toCompletion } from '../chat/completions/wire.ts';
import { ModelFailed, type ModelRequest } from '../chat/domain/chat-model.ts';
import { type CompletePorts, complete, recordedAnswer } from '../chat/domain/complete.ts';
import type { ManagePorts } from '../chat/domain/manage-applications.ts';
import type { Content } from '../chat/domain/messages.ts';
import { type OpenPorts, openSession } from '../chat/domain/open-session.ts';
import { AnswerFailed, type Question } from './domain/answer-lane.ts';

type AnsweringPorts = CompletePorts & OpenPorts & Pick<ManagePorts, 'applications'>;

/** A workflow run that takes longer continues, and its answer comes later. */
const WORKFLOW_MS = 280_000;

/**
 * The answer of an application to a message of a platform, in the history of its sender. It is recorded under the message's
 * id: a message that is worked on again gets it without asking the model again.
 * @throws AnswerFailed; what `signal` was aborted with.
 */
export async function answerOfApplication(
  question: Question,
  signal: AbortSignal,
  ports: AnsweringPorts,
): Promise<string> {
  const { workspaceId, applicationId, channelId, sessionId, key, content, origin } = question;
  const id = { workspaceId, applicationId, caller: { kind: 'channel', id: channelId }, sessionId } as const;
  // The run holds the lease on its conversation, so that no other run answers this message; the turn itself shows whether it is answered.
  const turnId = turnIdOf(key);
  const background: Promise<unknown>[] = [];
  try {
    const [application, state] = await Promise.all([
      ports.applications.find({ workspaceId, applicationId }),
      openSession(id, null, ports),
    ]);
    if (application === null) throw new AnswerFailed('application_not_found', false);
    const recorded = state.history.find((turn) => turn.turnId === turnId);
    const command = {
      id: turnId,
      application,
      request: requestOf(content),
      keyId: null,
      requestKey: key,
      session: { ...id, ...state, key: null },
      background: (work: Promise<unknown>) => void background.push(work),
      caller: id.caller,
      startNodeInputs: {},
      origin: { key, place: origin },
      deadlineMs: ports.clock.now() + WORKFLOW_MS,
    };
    const parts = recorded ? recordedAnswer(recorded) : complete(command, signal, ports);
    const { choices } = await toCompletion(
      parts,
      { id: turnId, created: 0, model: application.config.model.name },
      { showsText: false },
    );
    const [{ message }] = choices as [(typeof choices)[0]];
    await Promise.allSettled(background);
    return message.content ?? message.refusal ?? '';
  } catch (error) {
    if (error instanceof ModelFailed) throw new AnswerFailed(error.code, error.isPassing, { cause: error });
    throw error;
  }
}

/** One for each message, in the form of a completion's id. */
function turnIdOf(messageId: string): string {
  return `chatcmpl-${messageId.slice(messageId.indexOf('_') + 1)}`;
}

function requestOf(content: Content): ModelRequest {
  return {
    messages: [{ role: 'user', content }],
    temperature: null,
    topP: null,
    maxTokens: null,
    stop: [],
    tools: [],
    toolChoice: null,
    responseFormat: null,
    more: {},
  };
}
