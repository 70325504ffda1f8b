import {
  platformFault,
  refusedForGood,
  type SendOutcome,
  unanswered,
} from '../../channels/domain/platforms/send-outcome.ts';
import type { FetchRefused } from '../web/fetch-refused.ts';

/** The Bot Framework issued no token. */
export class TokenFailed extends Error {
  override name = 'TokenFailed';
  readonly outcome: SendOutcome;

  constructor(outcome: SendOutcome) {
    super('The Bot Framework issued no token.');
    this.outcome = outcome;
  }
}

export function outcomeOfRefusal({ reason }: FetchRefused): SendOutcome {
  switch (reason) {
    case 'timeout':
    case 'unreachable':
      return unanswered(reason);
    case 'bad_response':
    case 'too_large':
      return platformFault(reason);
    default:
      return refusedForGood(reason);
  }
}
