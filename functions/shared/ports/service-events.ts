/** What has happened in a service, for workflows that are to begin with it. */
export interface ServiceEvent {
  /** Unique among the events of its type in a workspace: one that is told twice begins one run. */
  readonly id: string;
  /** As {{event}} in the inputs of triggers; JSON. */
  readonly data: object;
}

export type ServiceEventType = 'extraction.completed' | 'batch.completed' | 'message.received';

export interface ServiceEvents {
  /**
   * Tells the triggers of a workspace. Never fails: what went wrong is logged.
   * @param event asked only where a trigger waits for the type; null: nothing has happened after all.
   */
  tell(workspaceId: string, type: ServiceEventType, event: () => Promise<ServiceEvent | null>): Promise<void>;
}
