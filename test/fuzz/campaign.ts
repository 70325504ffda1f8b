import { Random } from '../../bench/corpus/random.ts';
import { Finding } from './finding.ts';
import type { FuzzedService } from './service.ts';
import type { FuzzTarget } from './target.ts';

export interface Campaign {
  readonly seed: string;
  /** Inputs at most. */
  readonly maxInputs: number;
  /** Epoch milliseconds after which no new input is tried. */
  readonly untilMs: number;
}

export interface CampaignResult {
  readonly inputs: number;
  /** The first fault, and its input; null: none. */
  readonly finding: { readonly message: string; readonly input: Buffer } | null;
}

/** Tries inputs on a target until one finds something, or there are enough of them. */
export async function fuzz(
  target: FuzzTarget,
  service: FuzzedService,
  { seed, maxInputs, untilMs }: Campaign,
): Promise<CampaignResult> {
  const running = await target.start(service);
  let inputs = 0;
  while (inputs < maxInputs && Date.now() < untilMs) {
    const input = await running.input(new Random(`${seed}/${target.name}/${inputs}`));
    inputs += 1;
    try {
      await running.attempt(input);
      await service.check();
    } catch (error) {
      if (error instanceof Finding) return { inputs, finding: { message: error.message, input } };
      throw error;
    }
  }
  return { inputs, finding: null };
}
