import type { Backoff } from '../../shared/ports/backoff.ts';
import { type Account, type Accounts, accountOf } from './account.ts';
import { BalanceRefused } from './balance-refused.ts';

/** As many as fit into the time of a request; among 200 charges at once nine are enough. */
const MOST_ATTEMPTS = 15;

/**
 * Tries a change that is conditional on the account's version until nobody else's change comes between.
 * @param attempt computes the change from the account as it is now and stores it; `null`: another change was quicker.
 * @throws BalanceRefused 'try_again' when the account is too busy; nothing was changed then.
 */
export async function changeAccount<T>(
  workspaceId: string,
  { accounts, backoff }: { readonly accounts: Accounts; readonly backoff: Backoff },
  attempt: (account: Account) => Promise<T | null>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const outcome = await attempt(await accountOf(workspaceId, accounts));
    if (outcome !== null) return outcome;
    if (tries === MOST_ATTEMPTS) break;
    await backoff.wait(tries);
  }
  throw new BalanceRefused('try_again', 'Too many charges end at the same moment. Nothing was changed: send it again.');
}
