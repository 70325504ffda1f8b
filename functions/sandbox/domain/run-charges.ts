import type { WorkEnd } from '../../accounts/domain/hold.ts';
import type { EndStore, HeldFunds, HeldMoney } from '../../accounts/domain/hold-funds.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Run, RunOutcome } from './run.ts';
import { runUsage, secondsUsage } from './run-usage.ts';

/** Payer of a program. */
export interface RunPayer {
  readonly workspaceId: string;
  readonly keyId?: string | null;
}

export interface RunChargePorts {
  readonly funds: Pick<HeldFunds, 'hold' | 'require'>;
  readonly clock: Clock;
  readonly krwPerSecond: number;
}

type Timed = Pick<Run, 'timeoutSeconds'>;

/** The price of programs. A deployment without one has no `RunCharges`. */
export class RunCharges {
  readonly #ports: RunChargePorts;

  constructor(ports: RunChargePorts) {
    this.#ports = ports;
  }

  /** @throws FundsRefused when the balance or a budget does not cover the programs, each until its time-out. */
  async require(payer: RunPayer, runs: readonly Timed[]): Promise<void> {
    const seconds = runs.reduce((sum, { timeoutSeconds }) => sum + timeoutSeconds, 0);
    await this.#ports.funds.require(workOf(payer), Math.ceil(seconds) * this.#ports.krwPerSecond);
  }

  /** Holds the price of a program until its time-out. @throws FundsRefused, AccountBusy; nothing may run then */
  async hold(payer: RunPayer, executionId: string, run: Timed): Promise<RunCharge> {
    const { funds, krwPerSecond } = this.#ports;
    const work = { ...workOf(payer), reference: executionId };
    const held = await funds.hold(work, Math.ceil(run.timeoutSeconds) * krwPerSecond);
    // Only work with a key can have been paid before.
    if (held === null) throw new Error(`The hold of ${executionId} was paid before.`);
    return new RunCharge(held, payer, run, this.#ports);
  }
}

/** The price of one program, held since before it started. */
export class RunCharge {
  readonly #held: HeldMoney;
  readonly #payer: RunPayer;
  readonly #run: Timed;
  readonly #ports: RunChargePorts;
  #begunAtMs: number | null = null;

  constructor(held: HeldMoney, payer: RunPayer, run: Timed, ports: RunChargePorts) {
    this.#held = held;
    this.#payer = payer;
    this.#run = run;
    this.#ports = ports;
  }

  /** To be called when a runner has accepted the program. */
  readonly onBegun = (): void => {
    this.#begunAtMs = this.#ports.clock.now();
  };

  /**
   * Charges the program's seconds and counts them, in one transaction. A program that was lost is free; one that its caller has ended
   * costs its seconds until then.
   * @param isCallersAct true when the caller has cancelled the program, or gone away.
   * @param store stores the end of the run in the same transaction; by default there is no record of it.
   * @returns false when `store` has found the record gone
   */
  async settle(outcome: RunOutcome | Error, isCallersAct: boolean, store?: EndStore): Promise<boolean> {
    const end = this.#workEnd(outcome, isCallersAct);
    if ((await this.#held.charge(end, store)) === 'ended') return true;
    await (isCallersAct ? this.#held.charge(end) : this.release());
    return false;
  }

  /** Charges nothing. */
  release(): Promise<void> {
    return this.#held.release();
  }

  #workEnd(outcome: RunOutcome | Error, isCallersAct: boolean): WorkEnd {
    const nowMs = this.#ports.clock.now();
    if (!(outcome instanceof Error)) {
      const priceKrw = outcome.kind === 'invalid_syntax' ? 0 : this.#price(outcome.seconds);
      return { priceKrw, usage: runUsage(this.#payer, outcome, nowMs), isWhole: true };
    }
    if (!isCallersAct || this.#begunAtMs === null) return { priceKrw: 0, usage: null, isWhole: false };
    const seconds = (nowMs - this.#begunAtMs) / 1000;
    return { priceKrw: this.#price(seconds), usage: secondsUsage(this.#payer, seconds, nowMs), isWhole: false };
  }

  /** Started seconds count in full, and none beyond the time-out, which ending a program may take. */
  #price(seconds: number): number {
    return Math.ceil(Math.min(seconds, this.#run.timeoutSeconds)) * this.#ports.krwPerSecond;
  }
}

function workOf({ workspaceId, keyId = null }: RunPayer) {
  return { workspaceId, keyId, kind: 'sandbox' } as const;
}
