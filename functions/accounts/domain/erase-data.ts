import type { Clock } from '../../shared/ports/clock.ts';
import type { ErasureOrder } from './erasure.ts';

/** Whose data is erased, with the ids by which records outside of the workspace's own partitions belong to it. */
export interface ErasureTarget extends ErasureOrder {
  /** Ids and e-mail addresses of members, ids of API keys and channels. */
  readonly ids: readonly string[];
}

/** One walk through all stores for all orders that were due at its start. */
export interface ErasurePass {
  readonly begunAtMs: number;
  /** Empty: it is over. */
  readonly targets: readonly ErasureTarget[];
  /** Place of the store that is being walked through. */
  readonly step: number;
  /** Where the walk continues in that store; null: at its start. */
  readonly cursor: string | null;
}

/** Orders and the progress of passes. */
export interface Erasures {
  due(nowMs: number): Promise<readonly ErasureOrder[]>;
  /** From then on it cannot be cancelled. @returns false when it was cancelled meanwhile */
  begin(order: ErasureOrder, nowMs: number): Promise<boolean>;
  end(orders: readonly ErasureOrder[]): Promise<void>;
  pass(): Promise<ErasurePass | null>;
  savePass(pass: ErasurePass): Promise<void>;
  /** The ids of a target. */
  idsOf(workspaceId: string): Promise<readonly string[]>;
}

/** A table or a bucket. */
export interface ErasableStore {
  /**
   * Erases what a page of the store has of the targets; repeating a page does no harm.
   * @returns where the next page starts; null after the last one
   */
  erasePage(targets: readonly ErasureTarget[], cursor: string | null, nowMs: number): Promise<string | null>;
}

export interface ErasePorts {
  readonly erasures: Erasures;
  /** Always in the same order; credentials first, so that nothing new is written meanwhile. */
  readonly stores: readonly ErasableStore[];
  readonly clock: Clock;
}

/** A pass reads every record of every store: one a day costs little, with any number of orders. */
const MIN_PAUSE_MS = 20 * 60 * 60_000;

/**
 * Continues the current pass, or starts one for the orders that are due. Progress is saved after each page: the next run continues an
 * interrupted one.
 * @param deadlineMs epoch time after which no page is started.
 * @returns the completed orders
 */
export async function eraseData(deadlineMs: number, ports: ErasePorts): Promise<readonly ErasureOrder[]> {
  const { erasures, stores, clock } = ports;
  let pass = await currentPass(ports);
  if (pass === null) return [];
  for (; pass.step < stores.length; await erasures.savePass(pass)) {
    const nowMs = clock.now();
    if (nowMs >= deadlineMs) return [];
    const cursor = await stores[pass.step]!.erasePage(pass.targets, pass.cursor, nowMs);
    pass = { ...pass, cursor, step: pass.step + (cursor === null ? 1 : 0) };
  }
  await erasures.end(pass.targets);
  await erasures.savePass({ ...pass, targets: [] });
  return pass.targets;
}

/** @returns null when there is nothing to do now. */
async function currentPass({ erasures, clock }: ErasePorts): Promise<ErasurePass | null> {
  const nowMs = clock.now();
  const last = await erasures.pass();
  if (last !== null && last.targets.length > 0) return last;
  if (last !== null && last.begunAtMs + MIN_PAUSE_MS > nowMs) return null;
  const targets: ErasureTarget[] = [];
  for (const order of await erasures.due(nowMs)) {
    if (!(await erasures.begin(order, nowMs))) continue;
    targets.push({ ...order, ids: order.kind === 'workspace' ? await erasures.idsOf(order.workspaceId) : [] });
  }
  if (targets.length === 0) return null;
  const pass = { begunAtMs: nowMs, targets, step: 0, cursor: null };
  await erasures.savePass(pass);
  return pass;
}
