import type { DecisionNotice } from '../../../accounts/domain/decision-mail.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Command, Output, PendingDecision } from '../engine/engine-events.ts';
import type { RunMachine } from '../engine/run-machine.ts';
import type { NodeEffects } from './node-effects.ts';
import type { RunHead, RunId, RunLease } from './run.ts';
import type { RunLeases, RunQueue, SaidChange } from './run-ports.ts';

export interface DrivePorts {
  readonly effects: NodeEffects;
  readonly leases: Pick<RunLeases, 'append' | 'rest' | 'requests' | 'decide'>;
  readonly queue: RunQueue;
  readonly clock: Clock;
  readonly pause: Pause;
  /** Called with the internal error of a node, in addition to the message for its author. */
  readonly onFault: (runId: string, error: unknown) => void;
}

/** Waiting, as a port; it ends early, and without an error, when `signal` is aborted. */
export interface Pause {
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** A run that this function has the lease of. */
export interface LeasedWork {
  readonly lease: RunLease;
  readonly head: Pick<RunHead, 'workflowId' | 'trigger' | 'cancelledBy' | 'decisions'>;
  readonly machine: RunMachine;
  readonly commands: readonly Command[];
  readonly nextEntry: number;
  /** True when another function has let go of it, or died. */
  readonly isResumed: boolean;
}

export interface DriveOptions {
  /** Epoch time at which this function ends for certain; its lease expires then. */
  readonly deadlineMs: number;
  /** Aborted when the client that the run is for goes away: the run is cancelled then. */
  readonly client?: AbortSignal;
  readonly onOutputs?: (outputs: readonly Output[]) => void;
  /** Of a function that continues a run: says its answers in its conversation, as `sayLater`. */
  readonly later?: (id: RunId) => Promise<SaidChange>;
  /** Of the same: notifies the people whom a waiting node names, once for each key. @returns the mails to send */
  readonly notify?: (pending: PendingDecision) => Promise<readonly DecisionNotice[]>;
}

/** How a function leaves a run. */
export type Left = 'ended' | 'waiting' | 'handed_over';

export interface Driven {
  readonly left: Left;
  /** Number of the next entry of the record. */
  readonly nextEntry: number;
}
