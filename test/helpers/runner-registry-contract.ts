import { describe, expect, it } from 'vitest';
import type { Runner, RunnerRegistry } from '../../functions/sandbox/domain/runner-ports.ts';

/** A registry of two runners, as a test sees it. */
export interface RegistryUnderTest {
  readonly registry: RunnerRegistry;
  /** Why there are no runners on this machine; empty where there are. */
  readonly unavailable: string;
}

/** The contract of RunnerRegistry: run it with each adapter. @param open makes one with two runners that can be started or are up. */
export function describeRunnerRegistry(name: string, open: () => Promise<RegistryUnderTest>): void {
  const ids = (runners: readonly Runner[]) => runners.map(({ id }) => id);

  describe(`${name} as a registry of runners`, () => {
    const test = (title: string, body: (registry: RunnerRegistry) => Promise<void>) =>
      it(title, async ({ skip }) => {
        const { registry, unavailable } = await open();
        if (unavailable !== '') skip(unavailable);
        await body(registry);
      });

    test('knows the languages of its runners', async (registry) => {
      const languages = await registry.languages();
      expect(languages.map(({ name: language }) => language)).toContain('javascript');
      for (const { version } of languages) expect(version).not.toBe('');
    });

    test('offers an unassigned runner to any workspace', async (registry) => {
      const [runner] = await registry.candidates('a');
      expect(runner).toEqual({ ...runner, url: expect.stringMatching(/^http:\/\//), workspaceId: null });
      expect(ids(await registry.candidates('b'))).toContain(runner!.id);
    });

    test('keeps a runner that has run a program for the workspace of that program', async (registry) => {
      const [runner] = await registry.candidates('a');
      await registry.markTaken(runner!, 'a');
      expect(ids(await registry.candidates('b'))).not.toContain(runner!.id);
      await registry.markIdle(runner!);
      const own = (await registry.candidates('a')).find(({ id }) => id === runner!.id);
      expect(own).toMatchObject({ url: runner!.url, workspaceId: 'a' });
      expect(ids(await registry.candidates('b'))).not.toContain(runner!.id);
    });

    test('offers no draining runner again, and another one in its place', async (registry) => {
      const [runner] = await registry.candidates('a');
      await registry.markTaken(runner!, 'a');
      await registry.markDraining(runner!);
      await registry.markDraining(runner!);
      const others = ids(await registry.candidates('a'));
      expect(others.length).toBeGreaterThan(0);
      expect(others).not.toContain(runner!.id);
      expect(ids(await registry.candidates('b'))).not.toContain(runner!.id);
    });

    test('knows the runner that keeps a session, offers it to no one, and forgets it when it has ended', async (registry) => {
      const [runner] = await registry.candidates('a');
      await registry.markTaken(runner!, 'a');
      await registry.markKept(runner!, 'a', 'python/s');
      expect(await registry.keptBy('a')).toEqual([
        { id: runner!.id, url: runner!.url, workspaceId: 'a', session: 'python/s' },
      ]);
      expect(await registry.keptBy('b')).toEqual([]);
      for (const workspace of ['a', 'b']) expect(ids(await registry.candidates(workspace))).not.toContain(runner!.id);
      await registry.markIdle(runner!);
      expect(ids(await registry.candidates('a'))).not.toContain(runner!.id);
      await registry.markDraining(runner!);
      expect(await registry.keptBy('a')).toEqual([]);
    });

    test('ignores updates about a runner that it does not know', async (registry) => {
      await registry.candidates('a');
      const unknown: Runner = { id: 'unknown', url: 'http://127.0.0.1:9', workspaceId: null };
      await registry.markTaken(unknown, 'a');
      await registry.markIdle(unknown);
      await registry.markDraining(unknown);
      expect(ids(await registry.candidates('a'))).not.toContain(unknown.id);
    });

    test('does not wait for a change for ever', async (registry) => {
      await registry.waitForChange(1, null);
      expect((await registry.candidates('a')).length).toBeGreaterThan(0);
    });
  });
}
