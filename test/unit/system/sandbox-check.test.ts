import { expect, it } from 'vitest';
import { type AvailableLanguage, SandboxUnavailable } from '../../../functions/sandbox/domain/sandbox-pool.ts';
import { PublicReason } from '../../../functions/system/domain/health.ts';
import { SandboxCheck } from '../../../functions/system/sandbox-check.ts';

function checkOf(...answers: readonly (Error | readonly AvailableLanguage[])[]) {
  const times = { nowMs: 0, asked: 0 };
  const languages = async () => {
    const answer = answers[times.asked++];
    if (answer instanceof Error || answer === undefined) throw answer;
    return answer;
  };
  return { times, check: new SandboxCheck({ languages }, { now: () => times.nowMs }) };
}

it('passes the reason of the runners on, without the paths of the machine', async () => {
  const { check } = checkOf(
    new SandboxUnavailable('The launcher failed: /root/.nvm/bin/node 13. Any user can write to "/srv/x".'),
  );
  const failure = await check.run().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PublicReason);
  expect((failure as Error).message).toBe('The launcher failed: (a path) 13. Any user can write to "(a path)".');
});

it('keeps the reason of any other failure', async () => {
  const { check } = checkOf(new Error('secret-host refused'));
  await expect(check.run()).rejects.not.toBeInstanceOf(PublicReason);
});

it('asks the runners once in 30 seconds, however often it is run', async () => {
  const { check, times } = checkOf(new SandboxUnavailable('No.'), []);
  await expect(Promise.all([check.run(), check.run()])).rejects.toThrow('No.');
  times.nowMs = 29_999;
  await expect(check.run()).rejects.toThrow('No.');
  expect(times.asked).toBe(1);
  times.nowMs = 30_000;
  await check.run();
  expect(times.asked).toBe(2);
});
