/** The caller that waits for a piece of work. Tenants share the threads that do it. */
export interface JobCaller {
  readonly tenant: string;
  /** The work is dropped when it aborts. */
  readonly signal?: AbortSignal | undefined;
}
