import type { Backoff } from '../../shared/ports/backoff.ts';
import { type Account, type Accounts, accountOf } from './account.ts';

/** Among 200 changes at once nine are enough (`npm run bench charges`), and as many fit into the time of a request. */
const MAX_ATTEMPTS = 15;

/** Too many other changes of the account came first. Nothing was changed; the message is for the client. */
export class AccountBusy extends Error {
  override name = 'AccountBusy';

  constructor() {
    super(
      'Too many changes of this workspace at the same time. Nothing was charged or changed: send the request again.',
    );
  }
}

export interface ChangePorts {
  readonly accounts: Accounts;
  readonly backoff: Backoff;
}

export interface ChangeOptions {
  /** The account where the caller has just read it; it saves the first read. */
  readonly known?: Account | undefined;
  readonly maxAttempts?: number;
}

/**
 * Optimistic concurrency: repeats a change that is conditional on the account's version until no other change comes first.
 * @param attempt computes the change from the account as it is now and stores it; null: another change came first.
 * @throws AccountBusy
 */
export async function changeAccount<T>(
  workspaceId: string,
  { accounts, backoff }: ChangePorts,
  attempt: (account: Account) => Promise<T | null>,
  { known, maxAttempts = MAX_ATTEMPTS }: ChangeOptions = {},
): Promise<T> {
  let account = known ?? (await accountOf(workspaceId, accounts));
  for (let attempts = 1; ; attempts++) {
    const outcome = await attempt(account);
    if (outcome !== null) return outcome;
    if (attempts >= maxAttempts) throw new AccountBusy();
    await backoff.wait(attempts);
    // Read after the wait, not before: the fresher the account, the likelier it is still the same at the write.
    account = await accountOf(workspaceId, accounts);
  }
}
