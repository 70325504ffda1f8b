import type { Clock } from '../../../shared/ports/clock.ts';
import type { SendOutcome } from '../platforms/send-outcome.ts';
import {
  type Asking,
  afterAttempt,
  type Breaker,
  type BreakerSettings,
  closedBreaker,
  type Permission,
  permissionOf,
} from './breaker.ts';
import type { Breakers } from './delivery-ports.ts';

export interface CircuitPorts {
  readonly breakers: Breakers;
  readonly breakerSettings: BreakerSettings;
  readonly clock: Clock;
  /** Called when a circuit has opened. */
  readonly onOpened: (breaker: Breaker) => Promise<void>;
}

/** Changes of one breaker at the same moment are few: its row is written at errors and at the end of a run of errors only. */
const MAX_ATTEMPTS = 20;

/** Asks for the permission to send. Of several that could be the probe, the one that stores its lease is. */
export async function enterCircuit(
  circuit: string,
  known: Breaker | null,
  asking: Asking,
  { breakers, breakerSettings, clock }: CircuitPorts,
): Promise<Permission> {
  let seen = known;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const permission = permissionOf(seen ?? closedBreaker(circuit), asking, clock.now(), breakerSettings);
    const next = permission.kind === 'probe' || permission.kind === 'reserved' ? permission.next : null;
    if (next === null || (await breakers.replace(seen, next))) return permission;
    seen = await breakers.find(circuit);
    // The SDK repeats a write whose response was lost.
    const { owner } = asking;
    if (seen?.probe?.owner === owner && seen.state === 'half_open') return { kind: 'probe', owner, next: seen };
  }
  throw new Error(`The circuit breaker of ${circuit} changed at every try.`);
}

/** Counts the outcome of an attempt. @param known the breaker as it was read for the permission. @returns it as it is then. */
export async function leaveCircuit(
  circuit: string,
  known: Breaker | null,
  permission: Permission & { readonly kind: 'send' | 'probe' },
  attempted: { readonly messageId: string; readonly outcome: SendOutcome },
  { breakers, breakerSettings, clock, onOpened }: CircuitPorts,
): Promise<Breaker> {
  let seen = permission.kind === 'probe' ? permission.next : known;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const current = seen ?? closedBreaker(circuit);
    const next = afterAttempt(current, permission, attempted, clock.now(), breakerSettings);
    if (next === null) return current;
    if (await breakers.replace(seen, next)) {
      if (next.state === 'open' && current.state !== 'open') await onOpened(next);
      return next;
    }
    seen = await breakers.find(circuit);
  }
  throw new Error(`The circuit breaker of ${circuit} changed at every try.`);
}
