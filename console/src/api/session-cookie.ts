/** The value that proves that a call comes from a page of this service. */
export function csrfToken(): string {
  return /(?:^|; )tripod_csrf=([^;]+)/.exec(document.cookie)?.[1] ?? '';
}

type Listener = () => void;
let waiting: PromiseWithResolvers<void> | null = null;
const listeners = new Set<Listener>();

/** Resolves when the person has logged in again; all calls of an ended session wait for the same login. */
export function loggedInAgain(): Promise<void> {
  if (waiting === null) {
    waiting = Promise.withResolvers();
    for (const listener of listeners) listener();
  }
  return waiting.promise;
}

export function sessionIsBack(): void {
  waiting?.resolve();
  waiting = null;
  for (const listener of listeners) listener();
}

export const sessionHasEnded = (): boolean => waiting !== null;

export function onSessionChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
