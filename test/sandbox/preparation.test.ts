import { expect, it } from 'vitest';
import { DEFAULT_RESOURCES } from '../../functions/sandbox/domain/run.ts';
import type { Language } from '../../sandbox/runner/languages/language.ts';
import type { ReceivedRun } from '../../sandbox/runner/read-run.ts';
import { LanguageMissing, LanguagePreparing, ProgramRunner } from '../../sandbox/runner/runner.ts';
import { testedConfinement } from './tested-confinement.ts';

const confinement = testedConfinement();

const run: ReceivedRun = {
  language: 'javascript',
  code: 'console.log("ran")',
  stdin: '',
  environment: {},
  timeoutSeconds: 60,
  resources: DEFAULT_RESOURCES,
};

/** A language that something is still being made for. */
function preparing() {
  const preparation = Promise.withResolvers<void>();
  const language: Language = {
    name: 'javascript',
    version: process.versions.node,
    file: 'main.js',
    readable: [process.execPath],
    environment: {},
    reservedMb: 2048,
    preparation: preparation.promise,
    run: () => [process.execPath, 'main.js'],
    preparing: () => [],
  };
  const languages = [language];
  const options = {
    prestarts: false,
    onLeftover: (error: Error) => {
      throw error;
    },
  };
  return { preparation, languages, runner: new ProgramRunner(() => languages, confinement(), options) };
}

it('a run waits for its language', async () => {
  const { preparation, runner } = preparing();
  const outcome = runner.run(run);
  preparation.resolve();
  expect(await outcome).toMatchObject({ kind: 'finished', stdout: 'ran\n', exitCode: 0 });
});

it('a run does not wait longer than its time-out allows', async () => {
  const { runner } = preparing();
  await expect(runner.run({ ...run, timeoutSeconds: 1 })).rejects.toThrow(LanguagePreparing);
});

it('a run does not wait when its caller has gone', async () => {
  const { runner } = preparing();
  await expect(runner.run(run, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});

it('a run is refused when its language could not be prepared', async () => {
  const { preparation, languages, runner } = preparing();
  const outcome = runner.run(run);
  languages.pop();
  preparation.reject(new Error('no space left'));
  await expect(outcome).rejects.toThrow(LanguageMissing);
});
