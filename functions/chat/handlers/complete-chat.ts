import { eventStreamHandler } from '../../shared/http/event-stream-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bodyHash } from '../../shared/idempotency/body-hash.ts';
import { keyIdOf } from '../../shared/principal.ts';
import { applicationIdOf, requestKeyOf, sessionOf } from '../completions/request.ts';
import { completeChatRoute } from '../completions/routes.ts';
import { begun, completionFrames, eventForm, toCompletion, toModelRequest } from '../completions/wire.ts';
import { complete, recordedAnswer } from '../domain/complete.ts';
import { findApplication } from '../domain/manage-applications.ts';
import { keyReused } from '../http-errors.ts';
import { completePorts, completionId, publicHttp } from '../wiring.ts';

const ports = completePorts();

const endpoint = pipeline(
  completeChatRoute,
  {
    ...publicHttp,
    load: async ({ principal, params, headers, body }) => {
      const applicationId = applicationIdOf(principal, params.application_id);
      const session = sessionOf(applicationId, principal, headers, () => bodyHash(body));
      const [application, state] = await Promise.all([
        findApplication(applicationId, ports),
        session && ports.conversations.read(session, session.key?.key ?? null),
      ]);
      return { id: completionId(), application, session, state };
    },
  },
  async ({ principal, body, headers, signal, id, application, session, state }) => {
    const key = session?.key ?? null;
    const recorded = state?.recorded ?? null;
    if (recorded && recorded.bodyHash !== key?.bodyHash) throw keyReused();
    const command = {
      id,
      application,
      request: toModelRequest(body),
      session: session && { ...session, ...state! },
      keyId: keyIdOf(principal),
      requestKey: requestKeyOf(principal, headers, id),
    };
    const parts = recorded ? recordedAnswer(recorded.turn) : complete(command, signal, ports);
    const head = {
      id: recorded?.turn.turnId ?? id,
      created: Math.floor(ports.clock.now() / 1000),
      model: application.config.model.name,
    };
    const replayed = recorded ? { 'idempotent-replayed': 'true' } : {};
    if (!body.stream) return { status: 200, headers: replayed, body: await toCompletion(parts, head) };
    const client = { language: headers['x-stainless-lang'], version: headers['x-stainless-package-version'] };
    const frames = completionFrames(parts, head, {
      includeUsage: body.stream_options?.include_usage === true,
      events: eventForm(headers['x-stream-events'], application.type === 'workflow' ? 'named' : 'none', client),
      showsTools: principal.kind !== 'public-token',
      sessionId: session?.sessionId ?? null,
      now: () => ports.clock.now(),
    });
    return { status: 200, headers: replayed, frames: await begun(frames) };
  },
);

export const handler = eventStreamHandler(endpoint);
