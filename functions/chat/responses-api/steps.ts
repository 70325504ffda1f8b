import type * as z from 'zod';
import type { Frame, StreamReply, WholeReply } from '../../shared/http/reply.ts';
import type { Principal } from '../../shared/principal.ts';
import type { RequestCaller } from '../completions/request.ts';
import { type AnswerPorts, commandOf, streamReply } from '../completions/steps.ts';
import type { Application, ApplicationId } from '../domain/application.ts';
import { complete } from '../domain/complete.ts';
import type { AnsweredSession } from '../domain/conversations.ts';
import { turnsUntil } from '../domain/history.ts';
import { findApplication } from '../domain/manage-applications.ts';
import { newSession, openSession } from '../domain/open-session.ts';
import { responseId, sessionOfResponses, turnOfResponse } from '../domain/response-ids.ts';
import { noSuchResponse } from '../http-errors.ts';
import { type ResponseEvent, responseEvents } from './events.ts';
import { toResponseRequest } from './request.ts';
import type { responseBody } from './schemas.ts';
import { toolsOf } from './tools.ts';

interface ResponseRequest {
  readonly principal: Principal;
  readonly body: z.output<typeof responseBody>;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  background(work: Promise<unknown>): void;
}

interface LoadedResponse {
  /** Of the turn. */
  readonly id: string;
  readonly responseId: string;
  readonly application: Application;
  readonly session: AnsweredSession | null;
}

export function responseSteps(ports: AnswerPorts) {
  return {
    /** One round trip, side by side. */
    async load(
      { principal, body }: Pick<ResponseRequest, 'body'> & { readonly principal: RequestCaller },
      applicationId: ApplicationId,
    ): Promise<LoadedResponse> {
      ports.tokenBudgets.prefetch(principal.workspaceId);
      const id = ports.completionId();
      const { previous_response_id: previousId, store = true } = body;
      const previous = previousId === undefined ? null : turnOfResponse(previousId);
      const first = previous?.first ?? id;
      const { kind, id: callerId } = principal;
      const sessionId = { ...applicationId, caller: { kind, id: callerId }, sessionId: sessionOfResponses(first) };
      const opening = previous ? openSession(sessionId, null, ports) : store ? newSession(sessionId, ports) : null;
      const [application, opened] = await Promise.all([findApplication(applicationId, ports), opening]);
      const own = { id, responseId: responseId(first, id), application };
      if (opened === null) return { ...own, session: null };
      const history = previous ? turnsUntil(opened.history, previous.turnId) : [];
      if (history === null) throw noSuchResponse(previousId!);
      const session = { ...sessionId, ...opened, key: null, history, isReadOnly: !store };
      return { ...own, session: { ...session, ...(previous && { previousTurnId: previous.turnId }) } };
    },

    async run(request: ResponseRequest & LoadedResponse): Promise<WholeReply | StreamReply> {
      const { body, application, session } = request;
      const tools = toolsOf(body.tools);
      const { leftOut } = tools;
      const headers: Record<string, string> =
        leftOut.length > 0 ? { [LEFT_OUT]: leftOut.join(', ').slice(0, 1_000) } : {};
      const command = {
        ...commandOf(request, toResponseRequest(body, tools), request.id),
        session,
        startNodeInputs: {},
      };
      const events = responseEvents(complete(command, request.signal, ports), {
        id: request.responseId,
        created: Math.floor(ports.clock.now() / 1000),
        model: application.config.model.name,
        request: body,
        tools,
      });
      if (body.stream) return streamReply(application, framesOf(events), headers);
      let last: ResponseEvent | null = null;
      for await (const event of events) last = event;
      return { status: 200, headers, body: last!.response! };
    },
  };
}

const LEFT_OUT = 'x-tools-left-out';

async function* framesOf(events: AsyncIterable<ResponseEvent>): AsyncGenerator<Frame> {
  for await (const event of events) yield { event: event.type, data: event };
}
