import type { DrugMaster } from './drug-master.ts';

/** Where the drug master comes from. Adapters keep it in memory and notice when a newer one was imported. */
export interface DrugMasterSource {
  /** @throws Error that says what to do when there is no master, or it cannot be read. */
  current(): Promise<DrugMaster>;
}
