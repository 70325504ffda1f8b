import type { Problem } from './problem.ts';

/** What of a problem its caller is shown. */
export type ShownProblem = Pick<Problem, 'status' | 'code' | 'message'> & Partial<Pick<Problem, 'details'>>;

/** Makes a service's error body of a problem; each service has exactly one. */
export type ProblemPresenter = (problem: ShownProblem, requestId: string) => object;

/** The envelope of the chat, authentication and management endpoints: specification 2 §2.4. */
export const envelopeBody: ProblemPresenter = ({ status, message }) => ({
  data: null,
  status: 'error',
  code: status,
  message,
});

/** The envelope, and beside it the code as text, for the endpoints of specification 1. */
export const extractionBody: ProblemPresenter = (problem, requestId) => ({
  ...envelopeBody(problem, requestId),
  error: {
    code: problem.code,
    message: problem.message,
    requestId,
    ...(problem.details !== undefined && { details: problem.details }),
  },
});
