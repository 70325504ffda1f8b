import { type ProgramToRun, RUN_PROGRAM } from '../../sandbox/domain/run-program.ts';
import type { Outcome } from '../../shared/invoked-function.ts';
import type { Program, ProgramResult, Programs } from '../../workflows/domain/effects/effect-ports.ts';
import { NodeFailed } from '../../workflows/domain/run/node-effects.ts';
import { invokeFunction } from '../lambda/invoke-function.ts';

/** The sandbox's own function, which runs a program once for a key. */
export class InvokedPrograms implements Programs {
  async run(program: Program, signal: AbortSignal): Promise<ProgramResult> {
    const event: ProgramToRun = { ...program };
    const outcome = await invokeFunction<Outcome<ProgramResult>>({ id: RUN_PROGRAM }, event, signal);
    if ('result' in outcome) return outcome.result;
    const { status, message } = outcome.refused;
    throw new NodeFailed(status === 503 ? 'sandbox_unavailable' : 'code_refused', message, {
      isPassing: status === 503,
    });
  }
}
