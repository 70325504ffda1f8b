/** The lease of a run expired and another run has taken over, or has ended the work: this one must write nothing more. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}
