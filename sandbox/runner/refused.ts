import type { RunnerRefusal } from '../../functions/sandbox/domain/runner-ports.ts';

/** A request that the runner does not take; nothing has started. */
export class Refused extends Error {
  readonly status: number;
  readonly reason: RunnerRefusal | null;
  constructor(status: number, message: string, reason: RunnerRefusal | null = null) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}
