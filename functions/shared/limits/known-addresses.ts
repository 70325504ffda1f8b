/**
 * Network addresses from which an account was opened before. They have a share of its limits that strangers cannot use up, so that an
 * attacker cannot lock its owner out.
 */
export interface KnownAddresses {
  /** @param account such as an e-mail address. */
  isKnown(account: string, address: string, nowMs: number): Promise<boolean>;
  remember(account: string, address: string, nowMs: number): Promise<void>;
}

/** After so long without a login an address is a stranger's again. */
export const KNOWN_SECONDS = 90 * 24 * 60 * 60;
