/** Processor seconds by step, of all threads of this process. */
export class Stopwatch {
  readonly seconds = new Map<string, number>();

  /** Runs an action and counts the time that it takes for a step. Nothing else may run meanwhile. */
  async time<T>(step: string, action: () => Promise<T>): Promise<T> {
    const before = process.cpuUsage();
    try {
      return await action();
    } finally {
      const { user, system } = process.cpuUsage(before);
      this.add(step, (user + system) / 1e6);
    }
  }

  add(step: string, seconds: number): void {
    this.seconds.set(step, (this.seconds.get(step) ?? 0) + seconds);
  }

  get total(): number {
    return [...this.seconds.values()].reduce((sum, seconds) => sum + seconds, 0);
  }
}
