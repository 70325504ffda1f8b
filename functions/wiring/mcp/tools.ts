import { randomUUID } from 'node:crypto';
import { invokeFunction } from '../../adapters/lambda/invoke-function.ts';
import { READ_TABLE, type TableReading, type TableToRead } from '../../extraction/domain/read-table.ts';
import { extractRoute } from '../../extraction/routes.ts';
import { type RouteCall, routeCall } from '../../mcp/call-route.ts';
import type { ToolPorts } from '../../mcp/toolset.ts';
import { EXECUTE_REQUEST, type RequestResult, type RequestToExecute } from '../../sandbox/execute-request.ts';
import { executeRoute } from '../../sandbox/routes.ts';
import { Problem } from '../../shared/http/problem.ts';
import type { Outcome } from '../../shared/invoked-function.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { keyIdOf } from '../../shared/principal.ts';
import type { Worker } from '../../shared/worker.ts';
import { applications } from '../chat/chat.ts';
import { httpPorts } from '../shared/http.ts';

export const http = httpPorts;

/** Of one workspace that are looked through for shared ones. */
const MAX_APPLICATIONS = 1_000;
/** A function's event has at most 6 MB. */
const MAX_BASE64_LENGTH = 5_500_000;

/** A route whose modules are loaded with the first call of its tool. */
function lazy(make: () => Promise<RouteCall>): RouteCall {
  const made = memoizeAsync(make);
  return async (...call) => (await made())(...call);
}

/** The routes of the services as tools call them. */
export function toolPorts(): ToolPorts {
  const { limits } = http;
  return {
    applicationsOf: (workspaceId) => applications().list(workspaceId, MAX_APPLICATIONS, null),
    routes: {
      run_program: programRun(),
      search_knowledge: lazy(async () => {
        const [{ searchReply }, { http: knowledgeHttp, bases, knowledge }, { searchKnowledgeRoute }] =
          await Promise.all([
            import('../../knowledge/bases/search-reply.ts'),
            import('../knowledge/bases.ts'),
            import('../../knowledge/bases/routes.ts'),
          ]);
        const { toProblem } = knowledgeHttp;
        return routeCall(
          { route: searchKnowledgeRoute, toProblem, run: searchReply({ bases: bases(), knowledge: knowledge() }) },
          limits,
        );
      }),
      ask_application: lazy(async () => {
        const [{ completionSteps }, { completePorts }, { http: chat }, { completeChatRoute }] = await Promise.all([
          import('../../chat/completions/steps.ts'),
          import('../chat/complete.ts'),
          import('../chat/chat.ts'),
          import('../../chat/completions/routes.ts'),
        ]);
        const { load, run } = completionSteps(completePorts());
        const { toProblem } = chat;
        return routeCall(
          {
            route: completeChatRoute,
            toProblem,
            run,
            load: (request) =>
              load(request, {
                workspaceId: request.principal.workspaceId,
                applicationId: request.params.application_id,
              }),
          },
          limits,
        );
      }),
      read_drug_table: tableReading(),
    },
  };
}

/** By the extraction's own function: its models need more memory than this one has. */
function tableReading(): RouteCall {
  return routeCall(
    {
      route: extractRoute,
      toProblem: () => null,
      async run({ principal, body, headers, signal }) {
        const { image, ...rest } = body;
        if (image !== undefined && image.length > MAX_BASE64_LENGTH)
          throw new Problem(
            413,
            'image_too_large',
            'image has more than about 4 MB. Send it by POST /api/v1/uploads, and its imageUrl here.',
          );
        const event = {
          workspaceId: principal.workspaceId,
          keyId: keyIdOf(principal),
          idempotencyKey: headers['idempotency-key'] ?? randomUUID(),
          ...rest,
          ...(image !== undefined && { image }),
        } as TableToRead;
        return { status: 200, body: await invoked<TableReading>(READ_TABLE, event, signal) };
      },
    },
    http.limits,
  );
}

/** By a function of the sandbox: runners are reached from its network alone. */
function programRun(): RouteCall {
  return routeCall(
    {
      route: executeRoute,
      toProblem: () => null,
      async run({ principal, body: request, signal }) {
        const event: RequestToExecute = { workspaceId: principal.workspaceId, keyId: keyIdOf(principal), request };
        return { status: 200, body: await invoked<RequestResult>(EXECUTE_REQUEST, event, signal) };
      },
    },
    http.limits,
  );
}

/** @throws Problem where the function refuses the call, as its service's API would */
async function invoked<Result>(id: Worker['id'], event: object, signal: AbortSignal): Promise<Result> {
  const outcome = await invokeFunction<Outcome<Result>>({ id }, event, signal);
  if ('result' in outcome) return outcome.result;
  const { status, code, message, details, headers = {} } = outcome.refused;
  throw new Problem(status, code, message, { headers: { ...headers }, ...(details && { details: { ...details } }) });
}
