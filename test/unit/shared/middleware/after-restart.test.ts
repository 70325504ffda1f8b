import { expect, it } from 'vitest';
import type { Round } from '../../../../functions/shared/middleware/after-restart.ts';
import { reconcilerHandler } from '../../../../functions/shared/reconciler-handler.ts';

it.each([
  [undefined, false],
  [{ time: '2026-11-30T00:00:00Z' }, false],
  [{ queueIsEmpty: true }, true],
])('a reconciler called with %j has lost its queue: %s', async (event, lost) => {
  const rounds: Round[] = [];
  await reconcilerHandler(async (round) => void rounds.push(round))(event as { queueIsEmpty?: unknown });
  expect(rounds).toEqual([{ afterRestart: lost }]);
});
