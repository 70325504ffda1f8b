import type { DrugMaster } from './drug-master.ts';

/** There is nothing to judge prices by. The message is for the log; `ADVICE` is for clients. */
export class DrugMasterMissing extends Error {
  override name = 'DrugMasterMissing';
  static readonly ADVICE =
    'This service has no drug price list yet. Its operator imports one: npm run master:import -- <file> --date <day it is in force from> --stage <stage>';
}

/** Where the drug master comes from. Adapters keep it in memory and notice when a newer one was imported. */
export interface DrugMasterSource {
  /** @throws DrugMasterMissing; Error when it cannot be read. */
  current(): Promise<DrugMaster>;
}
