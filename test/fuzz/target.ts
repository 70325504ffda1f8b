import type { Random } from '../../bench/corpus/random.ts';
import type { FuzzedService } from './service.ts';

/** Something that takes what strangers send. */
export interface FuzzTarget {
  readonly name: string;
  start(service: FuzzedService): Promise<RunningTarget>;
}

export interface RunningTarget {
  /** Bytes to try next. The same random numbers give the same bytes, and the same bytes can be tried again. */
  input(random: Random): Promise<Buffer>;
  /** Rejects with a `Finding` where the target did what it must not do with any input. */
  attempt(input: Buffer): Promise<void>;
}
