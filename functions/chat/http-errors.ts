import { AccountBusy } from '../accounts/domain/change-account.ts';
import { EmbeddingFailed } from '../knowledge/domain/embeddings.ts';
import { Problem } from '../shared/http/problem.ts';
import { type ApplicationRefusal, ApplicationRefused } from './domain/application-refused.ts';
import { type FailureCode, ModelFailed } from './domain/chat-model.ts';
import { BudgetUsedUp } from './domain/visitor-budgets.ts';

const STATUS: Readonly<Record<ApplicationRefusal, number>> = {
  not_found: 404,
  token_not_found: 404,
  conversation_not_found: 404,
  message_not_found: 404,
  name_taken: 409,
  changed: 409,
  too_many_tokens: 409,
  invalid_base_url: 422,
  unknown_knowledge_base: 422,
  unknown_workflow: 422,
  workflow_not_allowed: 422,
  invalid_tool: 422,
};

const FAILURE_STATUS: Readonly<Record<FailureCode, number>> = {
  rate_limit: 429,
  budget_used_up: 429,
  insufficient_balance: 402,
  session_busy: 409,
  context_overflow: 400,
  invalid_request: 400,
  tool_error: 502,
  timeout: 504,
  provider_error: 502,
  auth_error: 502,
};

/** Errors of the chat's domain, as their clients get them. */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof ApplicationRefused) return new Problem(STATUS[error.refusal], error.refusal, error.message);
  if (error instanceof ModelFailed) return failureProblem(error);
  if (error instanceof AccountBusy)
    return new Problem(503, 'try_again', error.message, { headers: { 'retry-after': '1' } });
  if (error instanceof BudgetUsedUp) return usedUpProblem(error);
  if (error instanceof EmbeddingFailed) {
    const { message, isPassing, cause } = error;
    return failureProblem(new ModelFailed('provider_error', message, { isPassing, cause }));
  }
  return null;
}

function failureProblem(failure: ModelFailed): Problem {
  const { code, message, isPassing, retryAfterSeconds, wasRetried, details, cause } = failure;
  const headers: Record<string, string> = {};
  if ([409, 429].includes(FAILURE_STATUS[code])) headers['retry-after'] = String(Math.ceil(retryAfterSeconds ?? 1));
  // OpenAI's clients retry after every 429 and 5xx unless this header prevents it.
  if (!isPassing || wasRetried) headers['x-should-retry'] = 'false';
  return new Problem(FAILURE_STATUS[code], code, message, {
    headers,
    cause,
    ...(details && { details: { ...details } }),
  });
}

/** OpenAI's clients would retry at once unless a header prevents it. */
function usedUpProblem({ message, retryAfterSeconds }: BudgetUsedUp): Problem {
  const headers = { 'retry-after': String(retryAfterSeconds), 'x-should-retry': 'false' };
  return new Problem(429, 'budget_used_up', message, { headers });
}

export function noModel(model: string): Problem {
  return new Problem(404, 'model_not_found', `The application has no model ${JSON.stringify(model.slice(0, 200))}.`);
}

export function responseGone(id: string): Problem {
  const message = `Response ${id} not found for this application and caller. Responses are kept for 30 days.`;
  return new Problem(404, 'response_not_found', message);
}

export function unknownItem(id: string): Problem {
  const message = `after: the response has no input item ${id.slice(0, 100)}. Send the last_id of the page before.`;
  return new Problem(400, 'invalid_request', message, { details: { fields: { after: message } } });
}

export function cannotCancel(): Problem {
  return new Problem(
    400,
    'invalid_request',
    'Cannot cancel a completed response. Responses are made while their request waits: close its connection to end one.',
  );
}

export function noSuchResponse(id: string): Problem {
  const message = `previous_response_id: there is no response ${id} of this application and caller, or it is older than 30 days. Send the conversation as input.`;
  return new Problem(400, 'previous_response_not_found', message, {
    details: { fields: { previous_response_id: message } },
  });
}

export function noEmbeddingModel(): Problem {
  const message =
    'No knowledge base of the application has an embedding model. Create one with embedding, and link it in config.knowledge_bases.';
  return new Problem(404, 'embedding_model_not_found', message);
}

export function keyReused(): Problem {
  const message = 'The Idempotency-Key was used with another request of this session. Use a new key for each request.';
  return new Problem(422, 'idempotency_key_reused', message);
}

/** OpenAI's clients ask again by themselves after a 409, and then get the recorded answer. */
export function keyInUse(): Problem {
  const message = 'A request with this Idempotency-Key is being answered. Send it again to get the same answer.';
  return new Problem(409, 'idempotency_in_progress', message, { headers: { 'retry-after': '2' } });
}

export function foreignSession(): Problem {
  const message =
    'X-Session-Id: this session was not issued for your access token. Send "new", and from then on the X-Session-Id of the response.';
  return new Problem(400, 'invalid_session', message);
}

export function noSessions(): Problem {
  const message =
    'X-Session-Id: this access token is older than sessions of visitors, and has none. Its owner can change it, or create a new one.';
  return new Problem(400, 'invalid_session', message);
}

export function foreignOrigin(origin: string | undefined): Problem {
  const whose =
    origin === undefined ? 'requests without an Origin' : `pages of ${JSON.stringify(origin.slice(0, 200))}`;
  const message = `This access token is not for ${whose}. Its owner can add the origin to the token’s allowed_origins.`;
  return new Problem(403, 'origin_not_allowed', message);
}
