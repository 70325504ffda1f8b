/** The holder of a lease that dies keeps it for so long. */
export const LEASE_SECONDS = 20;
/** Well within a lease. */
const RENEWAL_MS = 7_000;

/** Renews a lease while its holder lives. @returns what ends that */
export function renewedLease(renew: () => Promise<unknown>): () => void {
  // A renewal that fails is made up for by the next.
  const renewing = setInterval(() => void renew().catch(() => undefined), RENEWAL_MS);
  renewing.unref();
  return () => clearInterval(renewing);
}
