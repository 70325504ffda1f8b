import type { AvailableLanguage } from './sandbox-pool.ts';
import type { RunnerBook, RunnerTask } from './tend-runners.ts';

export interface NoteRunnerPorts {
  readonly book: Pick<RunnerBook, 'noteTask'> & {
    saveLanguages(languages: readonly AvailableLanguage[]): Promise<void>;
  };
  readonly client: { languages(of: { readonly url: string }): Promise<readonly AvailableLanguage[]> };
  readonly pause: (ms: number) => Promise<void>;
}

const PAUSE_MS = 500;
const MOST_TRIES = 40;

/**
 * Puts a task into the registry once it answers, and takes it out when it ends. Each has the same image: what one can run,
 * all can. @throws when it does not answer for long
 */
export async function noteRunner(task: RunnerTask, { book, client, pause }: NoteRunnerPorts): Promise<void> {
  const { url } = task;
  if (task.state === 'up' && url !== null)
    await book.saveLanguages(await answering(() => client.languages({ url }), pause));
  await book.noteTask(task);
}

/** A task is said to run when its program is only about to start. */
async function answering<T>(ask: () => Promise<T>, pause: NoteRunnerPorts['pause']): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await pause(PAUSE_MS);
    }
  }
}
