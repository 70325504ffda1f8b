import type { RunnerStore, RunnerTask } from './reconcile-pool.ts';
import type { AvailableLanguage } from './sandbox-pool.ts';

export interface RegisterPorts {
  readonly store: Pick<RunnerStore, 'recordTask'> & {
    saveLanguages(languages: readonly AvailableLanguage[]): Promise<void>;
  };
  readonly client: { languages(of: { readonly url: string }): Promise<readonly AvailableLanguage[]> };
  readonly pause: (ms: number) => Promise<void>;
}

const POLL_INTERVAL_MS = 500;
const MAX_POLLS = 40;

/**
 * Registers a task once it answers, and removes it when it ends. All tasks have the same image: the languages of one are those
 * of all. @throws when it does not answer for long
 */
export async function registerRunner(task: RunnerTask, { store, client, pause }: RegisterPorts): Promise<void> {
  const { url } = task;
  if (task.state === 'up' && url !== null)
    await store.saveLanguages(await polled(() => client.languages({ url }), pause));
  await store.recordTask(task);
}

/** ECS reports a task as running when its program is only about to start. */
async function polled<T>(request: () => Promise<T>, pause: RegisterPorts['pause']): Promise<T> {
  for (let polls = 1; ; polls += 1) {
    try {
      return await request();
    } catch (error) {
      if (polls === MAX_POLLS) throw error;
      await pause(POLL_INTERVAL_MS);
    }
  }
}
