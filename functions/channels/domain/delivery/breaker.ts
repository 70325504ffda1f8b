import type { Channel } from '../channel.ts';
import type { SendOutcome } from '../platforms/send-outcome.ts';

export interface BreakerSettings {
  /** Consecutive errors that open the circuit, */
  readonly errorThreshold: number;
  /** when all of them are within this period. */
  readonly errorWindowSeconds: number;
  /** So long after it has opened, a probe is sent. */
  readonly recoveryTimeoutSeconds: number;
  /** Probes are at least so far apart while it is half-open. */
  readonly probeIntervalSeconds: number;
}

export const DEFAULT_BREAKER: BreakerSettings = {
  errorThreshold: 5,
  errorWindowSeconds: 60,
  recoveryTimeoutSeconds: 30,
  probeIntervalSeconds: 10,
};

export type CircuitState = 'closed' | 'open' | 'half_open';

export interface BreakerError {
  readonly messageId: string;
  /** Of the last attempt at the message. */
  readonly atMs: number;
}

/** The circuit breaker of one platform, for one workspace. */
export interface Breaker {
  readonly circuit: string;
  readonly state: CircuitState;
  /** Grows with every change of the state: the outcome of an attempt counts in the state that let it through, and no other. */
  readonly epoch: number;
  /** Consecutive errors within the window, one a message: its retries say no more of the platform than it did. */
  readonly errors: readonly BreakerError[];
  /** When it opened last; null when it never did. */
  readonly openedAtMs: number | null;
  /** The probe under way, or the last one. Its lease ends by itself when the prober dies. */
  readonly probe: { readonly owner: string; readonly startedAtMs: number; readonly untilMs: number } | null;
  /** The new message that waits to be the next probe. */
  readonly candidate: { readonly messageId: string; readonly untilMs: number } | null;
  /** Messages whose failures opened the circuit, newest last: the fault may be theirs. */
  readonly suspects: readonly string[];
  readonly lastError: { readonly code: string; readonly atMs: number } | null;
  /** Grows with every change. */
  readonly version: number;
}

/** A message that asks for the permission to be sent. */
export interface Asking {
  readonly owner: string;
  readonly messageId: string;
  /** Whether an attempt at it has failed before. */
  readonly hasFailed: boolean;
}

/** May a message be sent now? */
export type Permission =
  | { readonly kind: 'send'; readonly epoch: number }
  /** As the one probe, once `next` is stored. */
  | { readonly kind: 'probe'; readonly owner: string; readonly next: Breaker }
  /** The circuit is open; a probe may be sent from then on. */
  | { readonly kind: 'refused'; readonly untilMs: number }
  /** The circuit is open, and the message may wait to be the next probe, once `next` is stored; it is if `next` is null. */
  | { readonly kind: 'reserved'; readonly untilMs: number; readonly next: Breaker | null }
  /** The circuit is half-open, and the probe is another one's: ask again then. */
  | { readonly kind: 'wait'; readonly untilMs: number };

/** Longer than an attempt can take: two probes are never under way at once. */
export const PROBE_LEASE_MS = 40_000;
/** A message that has failed itself leaves the probe to others for so long. */
const PROBE_GRACE_MS = 500;
/** A candidate that has not asked this long after its time is gone. */
const CANDIDATE_GRACE_MS = 10_000;
/** Suspects that are remembered. */
const MAX_SUSPECTS = 50;
/** Messages that wait for a probe ask again after so long: the sooner, the shorter it has been under way. */
const MIN_POLL_MS = 1_000;
const MAX_POLL_MS = 5_000;

export function closedBreaker(circuit: string): Breaker {
  return {
    circuit,
    state: 'closed',
    epoch: 0,
    errors: [],
    openedAtMs: null,
    probe: null,
    candidate: null,
    suspects: [],
    lastError: null,
    version: 0,
  };
}

/** @param asking the message, its run, and whether it has failed before. */
export function permissionOf(
  breaker: Breaker,
  { owner, messageId, hasFailed }: Asking,
  nowMs: number,
  settings: BreakerSettings,
): Permission {
  const { state, epoch, openedAtMs, probe, candidate, version } = breaker;
  const isCandidate = candidate?.messageId === messageId;
  // A message that may be at fault is not a probe while another waits.
  const isAwaited = candidate !== null && nowMs < candidate.untilMs + CANDIDATE_GRACE_MS;
  const graceMs = !hasFailed ? 0 : isAwaited && !isCandidate ? CANDIDATE_GRACE_MS : PROBE_GRACE_MS;
  const probed = (state: CircuitState): Permission => ({
    kind: 'probe',
    owner,
    next: {
      ...breaker,
      state: 'half_open',
      epoch: state === 'half_open' ? epoch : epoch + 1,
      probe: { owner, startedAtMs: nowMs, untilMs: nowMs + PROBE_LEASE_MS },
      candidate: null,
      version: version + 1,
    },
  });
  switch (state) {
    case 'closed':
      return { kind: 'send', epoch };
    case 'open': {
      const untilMs = (openedAtMs ?? 0) + settings.recoveryTimeoutSeconds * 1000 + graceMs;
      if (nowMs >= untilMs) return probed(state);
      if (isCandidate) return { kind: 'reserved', untilMs, next: null };
      if (hasFailed || isAwaited) return { kind: 'refused', untilMs };
      const next = { ...breaker, candidate: { messageId, untilMs }, version: version + 1 };
      return { kind: 'reserved', untilMs, next };
    }
    case 'half_open': {
      const spacedMs = (probe?.startedAtMs ?? 0) + settings.probeIntervalSeconds * 1000;
      const untilMs = Math.max(spacedMs, probe?.untilMs ?? 0) + graceMs;
      if (nowMs >= untilMs) return probed(state);
      const isUnderWay = probe !== null && nowMs < probe.untilMs;
      const pollMs = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, nowMs - (probe?.startedAtMs ?? nowMs)));
      return { kind: 'wait', untilMs: isUnderWay ? Math.min(untilMs, nowMs + pollMs) : untilMs };
    }
  }
}

/** Effect of an attempt on the circuit. 429 and a fault of the channel's own configuration say nothing about the platform. */
type Bearing = 'success' | 'error' | 'none';

function bearingOf(outcome: SendOutcome): Bearing {
  if (outcome.kind === 'delivered') return 'success';
  return outcome.kind === 'failed' && outcome.isPlatformFault ? 'error' : 'none';
}

/**
 * The breaker after an attempt that it had permitted; null where nothing changes. An attempt from before the last change of
 * the state does not count.
 */
export function afterAttempt(
  breaker: Breaker,
  permission: Permission & { readonly kind: 'send' | 'probe' },
  { messageId, outcome }: { readonly messageId: string; readonly outcome: SendOutcome },
  nowMs: number,
  settings: BreakerSettings,
): Breaker | null {
  const bearing = bearingOf(outcome);
  const lastError = outcome.kind === 'failed' ? { code: outcome.code, atMs: nowMs } : breaker.lastError;
  const changed = { ...breaker, lastError, version: breaker.version + 1 };
  const opened: Breaker = {
    ...changed,
    state: 'open',
    epoch: breaker.epoch + 1,
    openedAtMs: nowMs,
    errors: [],
    probe: null,
    candidate: null,
    suspects: [...new Set([...breaker.suspects, ...breaker.errors.map((error) => error.messageId), messageId])].slice(
      -MAX_SUSPECTS,
    ),
  };
  if (permission.kind === 'probe') {
    if (breaker.state !== 'half_open' || breaker.probe?.owner !== permission.owner) return null;
    switch (bearing) {
      case 'success':
        return { ...changed, state: 'closed', epoch: breaker.epoch + 1, errors: [], probe: null };
      case 'error':
        return opened;
      case 'none':
        return { ...changed, probe: { ...breaker.probe, untilMs: nowMs } };
    }
  }
  if (breaker.state !== 'closed' || breaker.epoch !== permission.epoch) return null;
  // The same message does not open the circuit twice: others were delivered in between.
  if (bearing === 'error' && breaker.suspects.includes(messageId)) return null;
  switch (bearing) {
    case 'success':
      return breaker.errors.length === 0 ? null : { ...changed, errors: [] };
    case 'error': {
      const sinceMs = nowMs - settings.errorWindowSeconds * 1000;
      const others = breaker.errors.filter((error) => error.atMs > sinceMs && error.messageId !== messageId);
      const errors = [...others, { messageId, atMs: nowMs }];
      return errors.length >= settings.errorThreshold ? opened : { ...changed, errors };
    }
    case 'none':
      return null;
  }
}

/**
 * The breaker of a channel: its workspace's, of the platform's own API or of another address that the channel names, as every
 * custom channel does. Messages of one workspace that a platform fails at say nothing to others.
 */
export function circuitOf({ workspaceId, type, settings }: Pick<Channel, 'workspaceId' | 'type' | 'settings'>): string {
  const origin = originOf({ type, settings });
  return `${workspaceId}/${type}${origin === null ? '' : `@${origin}`}`;
}

/** The address that a circuit's calls go to; null for the platform's own API. */
export function addressOfCircuit(circuit: string): string | null {
  const at = circuit.indexOf('@');
  return at < 0 ? null : circuit.slice(at + 1);
}

function originOf({ type, settings }: Pick<Channel, 'type' | 'settings'>): string | null {
  const address = type === 'custom' ? settings.url : settings.api_base_url;
  return address === undefined ? null : (URL.parse(address)?.origin ?? null);
}
