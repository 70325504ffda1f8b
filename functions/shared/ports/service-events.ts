/** An event of a service that workflows may start on. */
export interface ServiceEvent {
  /** Unique among the events of its type in a workspace: one that is published twice starts one run. */
  readonly id: string;
  /** As {{event}} in the inputs of triggers; JSON. */
  readonly data: object;
}

export type ServiceEventType = 'extraction.completed' | 'batch.completed' | 'message.received';

export interface ServiceEvents {
  /**
   * Notifies the triggers of a workspace. Never fails: errors are logged.
   * @param events called only if a trigger waits for the type.
   */
  publish(
    workspaceId: string,
    type: ServiceEventType,
    events: () => Promise<readonly ServiceEvent[]> | readonly ServiceEvent[],
  ): Promise<void>;
}
