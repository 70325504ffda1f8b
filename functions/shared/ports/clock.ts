/** The time, as a port: domain code never reads the machine's clock itself. */
export interface Clock {
  /** Milliseconds since the epoch, UTC. */
  now(): number;
}
