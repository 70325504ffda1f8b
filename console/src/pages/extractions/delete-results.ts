import { api, dataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';

const MAX_WAITS = 5;

/**
 * Deletes results one after the other, so that the limit of calls is left to others too. One that fails stops no other.
 * @param onDone called with the number of those that are done.
 * @returns the ids that are still there, with the last error.
 */
export async function deleteResults(
  ids: readonly string[],
  onDone: (count: number) => void,
): Promise<{ readonly left: readonly string[]; readonly error: unknown }> {
  const left: string[] = [];
  let error: unknown = null;
  for (const [at, id] of ids.entries()) {
    try {
      await deleteOne(id);
    } catch (failure) {
      error = failure;
      left.push(id);
      // Without a network none can be deleted.
      if (failure instanceof Problem && failure.status === 0) return { left: [...left, ...ids.slice(at + 1)], error };
    }
    onDone(at + 1);
  }
  return { left, error };
}

async function deleteOne(id: string): Promise<void> {
  for (let wait = 0; ; wait++) {
    try {
      await dataOf(api.DELETE('/api/v1/extractions/{id}', { params: { path: { id } } }));
      return;
    } catch (error) {
      const isLimited = error instanceof Problem && error.status === 429;
      if (!isLimited || wait === MAX_WAITS) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfterSeconds ?? 1) * 1_000));
    }
  }
}
