/** The exclusive right of one run to end a piece of work; it expires by itself when the run dies. */
export type Lease<Id> = Id & {
  /** Fencing token, unique to the run: writes of a run whose lease has expired are refused by it. */
  readonly fence: string;
};

/** Answer to the queue: 'ack' deletes the message, 'retry' has it delivered again. */
export type Verdict = 'ack' | 'retry';

/** The lease of a run expired and another run has taken over, or has ended the work: this one must write nothing more. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}
