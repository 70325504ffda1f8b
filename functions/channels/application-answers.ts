import { toCompletion } from '../chat/completions/wire.ts';
import { ApplicationRefused } from '../chat/domain/application-refused.ts';
import { ModelFailed, type ModelRequest } from '../chat/domain/chat-model.ts';
import { complete, recordedAnswer } from '../chat/domain/complete.ts';
import { findApplication } from '../chat/domain/manage-applications.ts';
import type { Content } from '../chat/domain/messages.ts';
import { completePorts, completionId } from '../chat/wiring.ts';
import { AnswerFailed, type Question } from './domain/answer-lane.ts';

const ports = completePorts();

/** A run of a workflow that takes longer goes on without its message being answered. */
const WORKFLOW_MS = 280_000;

/**
 * The answer of an application to a message of a platform, in the history of its sender. It is recorded under the message's
 * id: a message that is worked on again gets it without asking the model again.
 * @throws AnswerFailed; what `signal` was aborted with.
 */
export async function answerOfApplication(question: Question, signal: AbortSignal): Promise<string> {
  const { workspaceId, applicationId, channelId, sessionId, key, content } = question;
  const id = { workspaceId, applicationId, caller: { kind: 'channel', id: channelId }, sessionId } as const;
  const turnId = completionId();
  const sessionKey = { key, bodyHash: key, owner: turnId };
  const background: Promise<unknown>[] = [];
  try {
    const [application, state] = await Promise.all([
      findApplication({ workspaceId, applicationId }, ports),
      ports.conversations.read(id, sessionKey),
    ]);
    const { recorded } = state;
    // A run that died holds the key until its lease ends.
    if (recorded && recorded.turn === null) throw new AnswerFailed('still_answering', true);
    const command = {
      ...{ id: turnId, application, request: requestOf(content), keyId: null, requestKey: key },
      session: { ...id, ...state, key: sessionKey },
      background: (work: Promise<unknown>) => void background.push(work),
      caller: id.caller,
      startNodeInputs: {},
      deadlineMs: ports.clock.now() + WORKFLOW_MS,
    };
    const parts = recorded?.turn ? recordedAnswer(recorded.turn) : complete(command, signal, ports);
    const { choices } = await toCompletion(
      parts,
      { id: turnId, created: 0, model: application.config.model.name },
      { showsText: false },
    );
    const [{ message }] = choices as [(typeof choices)[0]];
    await Promise.allSettled(background);
    return message.content ?? message.refusal ?? '';
  } catch (error) {
    if (error instanceof ApplicationRefused) throw new AnswerFailed('application_not_found', false, { cause: error });
    if (error instanceof ModelFailed) throw new AnswerFailed(error.code, error.isPassing, { cause: error });
    throw error;
  }
}

function requestOf(content: Content): ModelRequest {
  return {
    messages: [{ role: 'user', content }],
    ...{ temperature: null, topP: null, maxTokens: null, stop: [], tools: [], toolChoice: null },
    ...{ responseFormat: null, more: {} },
  };
}
