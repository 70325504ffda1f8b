/** Pages that cost their workspace nothing, though they were read: no drug table, or no image that can be read. */
export interface FreePages {
  /** @returns seconds until the workspace may send another page; 0 while it has free pages left. */
  waitSeconds(workspaceId: string): Promise<number>;
  /** Counts one that was read. */
  count(workspaceId: string): Promise<void>;
}

/** The workspace has had its free pages; the message is for its client. */
export class FreePagesUsedUp extends Error {
  override name = 'FreePagesUsedUp';
  readonly retryAfterSeconds: number;

  /** @param of the pages' owner: 'everybody' if the daily budget of all workspaces without a balance, or of an address, is spent. */
  constructor(retryAfterSeconds: number, of: 'workspace' | 'everybody' = 'workspace') {
    super(
      of === 'workspace'
        ? 'Too many pages of this workspace held no drug table, or could not be read, within a day; such pages are free of charge. ' +
            `Send the next page in ${retryAfterSeconds} s, and only pages with drug tables. Nothing was charged.`
        : 'The pages that are read free of charge for your network address, or for all workspaces without a balance, are used up ' +
            `for today. Top up the balance, or send the next page in ${retryAfterSeconds} s. Nothing was charged.`,
    );
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
