import type * as z from 'zod';
import type { ApplicationId } from '../domain/application.ts';
import { recordedAnswer } from '../domain/complete.ts';
import type { Caller, SessionId, SessionRuns } from '../domain/conversations.ts';
import { findApplication } from '../domain/manage-applications.ts';
import type { ConversationPorts } from '../domain/read-conversations.ts';
import { responseId, sessionOfResponses, turnOfResponse } from '../domain/response-ids.ts';
import { cannotCancel, responseGone, unknownItem } from '../http-errors.ts';
import { type ResponseEvent, type ResponseObject, responseEvents } from './events.ts';
import { customCallsOf, inputItems, pageOfItems } from './input-items.ts';
import type { inputItemList, inputItemsQuery } from './schemas.ts';
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

/** A page of what the request of a response added to its conversation. @throws Problem, ApplicationRefused */
export async function listInputItems(
  id: StoredResponse,
  query: z.output<typeof inputItemsQuery>,
  ports: Ports,
): Promise<z.output<typeof inputItemList>> {
  const { turnId } = turnOfResponse(id.responseId);
  const session = sessionOf(id);
  const [turn] = await Promise.all([ports.conversations.turn(session, turnId), findApplication(id, ports)]);
  if (turn === null) throw responseGone(id.responseId);
  const { input, previousTurnId } = turn;
  const hasResults = previousTurnId !== undefined && input.some(({ role }) => role === 'tool');
  const previous = hasResults ? await ports.conversations.turn(session, previousTurnId) : null;
  const items = inputItems(turnId, input, new Set(customCallsOf(previous?.answer ?? {})));
  const page = pageOfItems(items, query);
  if (page === null) throw unknownItem(query.after ?? '');
  return page;
}

/** Refuses to cancel: a response that is kept is complete. @throws Problem, ApplicationRefused */
export async function cancelResponse(id: StoredResponse, ports: Ports): Promise<never> {
  const { turnId } = turnOfResponse(id.responseId);
  const [turn] = await Promise.all([ports.conversations.turn(sessionOf(id), turnId), findApplication(id, ports)]);
  throw turn === null ? responseGone(id.responseId) : cannotCancel();
}

/** Removes a response and its run, with the runs of responses that continue it: their history has its texts. @throws Problem, ApplicationRefused */
export async function removeResponse(id: StoredResponse, ports: Ports & { readonly runs: SessionRuns }): Promise<void> {
  const { conversations, runs } = ports;
  await findApplication(id, ports);
  const session = sessionOf(id);
  const { turnId } = turnOfResponse(id.responseId);
  if ((await conversations.turn(session, turnId)) === null) throw responseGone(id.responseId);
  // The runs first: after a crash the response is still there, and can be removed again.
  await runs.erase(session, followersOf(turnId, session, ports));
  if (!(await conversations.removeTurn(session, turnId))) throw responseGone(id.responseId);
}

/** Whether a turn is the given one, or continues it. Each turn is read once. */
function followersOf(turnId: string, session: SessionId, { conversations }: ConversationPorts) {
  const known = new Map<string, Promise<boolean>>([[turnId, Promise.resolve(true)]]);
  const isFollower = (id: string): Promise<boolean> => {
    // Ids are in the order of time.
    const found = known.get(id) ?? (id < turnId ? Promise.resolve(false) : continues(id));
    known.set(id, found);
    return found;
  };
  async function continues(id: string): Promise<boolean> {
    const previous = (await conversations.turn(session, id))?.previousTurnId;
    return previous !== undefined && isFollower(previous);
  }
  return isFollower;
}

function sessionOf({ workspaceId, applicationId, caller, responseId: id }: StoredResponse): SessionId {
  const { kind, id: callerId } = caller;
  const { first } = turnOfResponse(id);
  return { workspaceId, applicationId, caller: { kind, id: callerId }, sessionId: sessionOfResponses(first) };
}
