import type { ApplicationId } from '../domain/application.ts';
import { recordedAnswer } from '../domain/complete.ts';
import type { Caller, SessionId } from '../domain/conversations.ts';
import { findApplication } from '../domain/manage-applications.ts';
import type { ConversationPorts } from '../domain/read-conversations.ts';
import { responseId, sessionOfResponses, turnOfResponse } from '../domain/response-ids.ts';
import { responseGone } from '../http-errors.ts';
import { type ResponseEvent, type ResponseObject, responseEvents } from './events.ts';
import { toolsOf } from './tools.ts';

type Ports = ConversationPorts & Parameters<typeof findApplication>[1];

/** A response of a caller; others see none of it. */
export interface StoredResponse extends ApplicationId {
  readonly caller: Caller;
  readonly responseId: string;
}

/** The response as it was answered; what its request asked for is not kept. @throws Problem, ApplicationRefused */
export async function storedResponse(id: StoredResponse, ports: Ports): Promise<ResponseObject> {
  const { first, turnId } = turnOfResponse(id.responseId);
  const [application, turn] = await Promise.all([
    findApplication(id, ports),
    ports.conversations.turn(sessionOf(id), turnId),
  ]);
  if (turn === null) throw responseGone(id.responseId);
  const { previousTurnId } = turn;
  const request = {
    input: '',
    ...(previousTurnId !== undefined && { previous_response_id: responseId(first, previousTurnId) }),
  };
  const created = Math.floor(Date.parse(turn.createdAt) / 1000);
  const head = { id: id.responseId, created, model: application.config.model.name, request, tools: toolsOf() };
  let last: ResponseEvent | null = null;
  for await (const event of responseEvents(recordedAnswer(turn), head)) last = event;
  return last!.response!;
}

/** @throws Problem, ApplicationRefused */
export async function removeResponse(id: StoredResponse, ports: Ports): Promise<void> {
  await findApplication(id, ports);
  const { turnId } = turnOfResponse(id.responseId);
  if (!(await ports.conversations.removeTurn(sessionOf(id), turnId))) throw responseGone(id.responseId);
}

function sessionOf({ workspaceId, applicationId, caller, responseId: id }: StoredResponse): SessionId {
  const { kind, id: callerId } = caller;
  const { first } = turnOfResponse(id);
  return { workspaceId, applicationId, caller: { kind, id: callerId }, sessionId: sessionOfResponses(first) };
}
