import { afterRestart, type Round } from './middleware/after-restart.ts';
import { type Exchange, middy } from './middy.ts';

type Scheduled = (event?: { readonly queueIsEmpty?: unknown }) => Promise<void>;

/** The handler of a reconciler: of a schedule on AWS; a local service also runs it at its start. */
export function reconcilerHandler(reconcile: (round: Round) => Promise<void>): Scheduled {
  return middy<Exchange, Scheduled>(reconcile).use(afterRestart());
}
