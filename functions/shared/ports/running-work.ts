/** Work of one kind that is under way, counted by workspace. */
export interface RunningWork {
  /**
   * Counts work from its start, unless `max` of its workspace have started before. Work of a process that has died counts for
   * 20 s at most.
   * @returns what ends it; null where `max` are under way.
   */
  begin(workspaceId: string, workId: string, max: number): Promise<(() => Promise<void>) | null>;
}
