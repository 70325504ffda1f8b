import { randomBytes } from 'node:crypto';
import type * as z from 'zod';
import type { TokenBudgets } from '../../accounts/domain/token-budgets.ts';
import type { Frame, StreamReply, WholeReply } from '../../shared/http/reply.ts';
import { bodyHash } from '../../shared/idempotency/body-hash.ts';
import { keyIdOf, type Principal } from '../../shared/principal.ts';
import { type Application, type ApplicationId, answersByWorkflow, modelIdentity } from '../domain/application.ts';
import type { ModelRequest, Usage } from '../domain/chat-model.ts';
import { type CompletePorts, complete, recordedAnswer } from '../domain/complete.ts';
import { findApplication, type ManagePorts } from '../domain/manage-applications.ts';
import { type OpenedSession, type OpenPorts, openSession } from '../domain/open-session.ts';
import { type BudgetPorts, spendRequest } from '../domain/visitor-budgets.ts';
import { keyInUse, keyReused } from '../http-errors.ts';
import { withOwnMembers } from './own-members.ts';
import { type RequestCaller, type RequestSession, requestKeyOf, sessionOf } from './request.ts';
import { type completionBody, type completionHeaders, DEFAULT_STREAM_WAIT } from './schemas.ts';
import { visitorBody, visitorParts } from './visitor.ts';
import { begun, completionFrames, eventForm, toCompletion, toModelRequest } from './wire.ts';

interface CompletionRequest {
  readonly principal: Principal;
  readonly headers: z.output<typeof completionHeaders>;
  readonly body: z.output<typeof completionBody>;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  background(work: Promise<unknown>): void;
}

interface LoadingRequest extends Pick<CompletionRequest, 'headers' | 'body'> {
  readonly principal: RequestCaller;
}

interface LoadedCompletion {
  readonly id: string;
  readonly application: Application;
  readonly session: RequestSession | null;
  readonly state: OpenedSession | null;
}

/** Ports of endpoints that answer. */
export interface AnswerPorts extends CompletePorts, OpenPorts, BudgetPorts, Pick<ManagePorts, 'applications'> {
  readonly conversations: CompletePorts['conversations'] & OpenPorts['conversations'];
  readonly tokenBudgets: Pick<TokenBudgets, 'prefetch'>;
  /** Makes ids that sort by time, in OpenAI's form. */
  readonly completionId: () => string;
}

/** The steps of a completion endpoint once the application is known. */
export function completionSteps(ports: AnswerPorts) {
  return {
    /** One round trip. */
    async load(
      { principal, headers, body }: LoadingRequest,
      applicationId: ApplicationId,
      find: (id: ApplicationId) => Promise<Application> = (id) => findApplication(id, ports),
    ): Promise<LoadedCompletion> {
      ports.tokenBudgets.prefetch(principal.workspaceId);
      const id = ports.completionId();
      const session = sessionOf(applicationId, principal, headers, () => bodyHash(body), id, randomBytes);
      const [application, state] = await Promise.all([
        find(applicationId),
        session && openSession(session, session.key, ports),
      ]);
      return { id, application, session, state };
    },

    async run(request: CompletionRequest & LoadedCompletion): Promise<WholeReply | StreamReply> {
      const { principal, body: sent, headers, background, id, application, session, state } = request;
      const key = session?.key ?? null;
      const recorded = state?.recorded ?? null;
      if (recorded && recorded.bodyHash !== key?.bodyHash) throw keyReused();
      if (recorded && recorded.turn === null) throw keyInUse();
      const { publicAccess } = principal;
      const body = publicAccess ? visitorBody(sent) : sent;
      const turn = recorded?.turn ?? null;
      const countTokens =
        publicAccess && turn === null && (await spendRequest({ tokenId: principal.id, ...publicAccess }, ports));
      const command = {
        ...commandOf(request, toModelRequest(body), requestKeyOf(application, principal, headers, session, id)),
        session: session && { ...session, ...state! },
        startNodeInputs: body.start_node_inputs ?? {},
        ...(body.stream && { openMs: (headers['x-stream-wait'] ?? DEFAULT_STREAM_WAIT) * 1_000 }),
        ...(countTokens && { onUsage: (usage: Usage) => background(countTokens(usage.total_tokens)) }),
      };
      const answer = turn ? recordedAnswer(turn) : complete(command, request.signal, ports);
      const parts = publicAccess
        ? visitorParts(answer)
        : withOwnMembers(answer, modelIdentity(application.config.model));
      const head = {
        id: turn?.turnId ?? id,
        created: Math.floor(ports.clock.now() / 1000),
        model: application.config.model.name,
      };
      const replyHeaders = {
        ...(turn && { 'idempotent-replayed': 'true' }),
        ...(session?.issued && { 'x-session-id': session.issued }),
      };
      const showsTools = publicAccess === undefined;
      if (!body.stream)
        return { status: 200, headers: replyHeaders, body: await toCompletion(parts, head, { showsText: showsTools }) };
      const client = { language: headers['x-stainless-lang'], version: headers['x-stainless-package-version'] };
      const frames = completionFrames(parts, head, {
        includeUsage: body.stream_options?.include_usage === true,
        events: eventForm(headers['x-stream-events'], answersByWorkflow(application) ? 'named' : 'none', client),
        showsTools,
        sessionId: session?.issued ?? session?.sessionId ?? null,
        now: () => ports.clock.now(),
      });
      return streamReply(application, frames, replyHeaders);
    },
  };
}

type Asked = Pick<CompletionRequest, 'principal' | 'deadlineMs' | 'background'> &
  Pick<LoadedCompletion, 'id' | 'application'>;

/** The parts of a command that all requests for an answer share, in any form. */
export function commandOf(
  { id, application, principal, deadlineMs, background }: Asked,
  request: ModelRequest,
  requestKey: string,
) {
  const caller = { kind: principal.kind, id: principal.id };
  return { id, application, request, keyId: keyIdOf(principal), requestKey, caller, deadlineMs, background };
}

/** The reply of a stream that starts when the application wants it to. */
export async function streamReply(
  { config }: Pick<Application, 'config'>,
  frames: AsyncGenerator<Frame>,
  headers: Readonly<Record<string, string>> = {},
): Promise<StreamReply> {
  if (config.streamStart === 'early') return { status: 200, headers, frames, startsEarly: true };
  return { status: 200, headers, frames: await begun(frames) };
}
