import { Problem } from '../shared/http/problem.ts';
import { type ApplicationRefusal, ApplicationRefused } from './domain/application-refused.ts';

const STATUS: Readonly<Record<ApplicationRefusal, number>> = {
  not_found: 404,
  token_not_found: 404,
  name_taken: 409,
  changed: 409,
  too_many_tokens: 409,
  invalid_base_url: 422,
};

/** Errors of the chat's domain, as their clients get them. */
export function toProblem(error: unknown): Problem | null {
  if (error instanceof ApplicationRefused) return new Problem(STATUS[error.refusal], error.refusal, error.message);
  return null;
}
