import { afterAll, beforeAll, beforeEach } from 'vitest';
import { acquireConfinement, type Confinement } from '../../sandbox/runner/confinement.ts';
import { selfTest } from '../../sandbox/runner/self-test.ts';

/** The confinement of this machine for the tests of a file; they are skipped where there is none. */
export function testedConfinement(): () => Confinement {
  let confinement: Confinement | undefined;
  let cannot = '';
  beforeAll(async () => {
    try {
      confinement = await selfTest(await acquireConfinement());
    } catch (error) {
      cannot = String(error);
    }
  });
  afterAll(() => confinement?.release());
  beforeEach(({ skip }) => {
    if (cannot !== '') skip(cannot);
  });
  return () => confinement!;
}
