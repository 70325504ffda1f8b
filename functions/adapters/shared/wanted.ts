/** A page that wants a turn. */
export interface Wanted {
  readonly workspaceId: string;
  /** Epoch milliseconds; infinite for a page that is in no hurry. */
  readonly deadlineMs: number;
}

/** Whether its client waits for it. */
export function isHurried({ deadlineMs }: Wanted): boolean {
  return deadlineMs < Number.POSITIVE_INFINITY;
}
