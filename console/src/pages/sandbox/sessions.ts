import { useState } from 'react';

const MAX_SESSIONS = 10;

export interface Sessions {
  readonly present: string;
  /** Those in which something has run, the newest first. The service knows no others. */
  readonly used: readonly string[];
  choose(session: string): void;
  begin(): void;
  /** Something has run in the present one. */
  use(): void;
}

/** Names of the sessions that this browser has used; what ran in them is asked of the service. */
export function useSessions(workspaceId: string): Sessions {
  const key = `tripod-sessions ${workspaceId}`;
  const [used, setUsed] = useState(() => stored(key));
  const [present, setPresent] = useState(() => used[0] ?? newName());
  return {
    present,
    used,
    choose: setPresent,
    begin: () => setPresent(newName()),
    use() {
      const next = [present, ...used.filter((each) => each !== present)].slice(0, MAX_SESSIONS);
      setUsed(next);
      localStorage.setItem(key, JSON.stringify(next));
    },
  };
}

function newName(): string {
  return `console-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`;
}

function stored(key: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
