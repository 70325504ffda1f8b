import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import {
  bodyOf,
  type Conflict,
  type Decided,
  type Decisions,
  decisionsOf,
  type Extraction,
  merged,
} from './decisions.ts';

export const extractionQuery = (id: string) => ({
  queryKey: ['extraction', id],
  queryFn: () => dataOf(api.GET('/api/v1/extractions/{id}', { params: { path: { id } } })),
});

const draftKey = (id: string) => `tripod-review ${id}`;

/**
 * The decisions about an extraction: each is saved at once, one call at a time. What could not be saved stays in the tab, and is sent
 * with the next change, with `retry`, or after a reload.
 */
export function useReview(extraction: Extraction) {
  const { extractionId: id } = extraction;
  const [decisions, setDecisions] = useState<Decisions>(() => draftOf(id) ?? decisionsOf(extraction.review));
  const [past, setPast] = useState<readonly Decisions[]>([]);
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const queries = useQueryClient();
  const saved = useRef({ version: extraction.review?.version ?? 0, decisions: decisionsOf(extraction.review) });
  const wanted = useRef(decisions);
  const running = useRef(false);

  async function save(): Promise<void> {
    if (running.current) return;
    running.current = true;
    setSaving(true);
    setError(null);
    try {
      while (wanted.current !== saved.current.decisions) {
        const sent = wanted.current;
        try {
          const { version } = await dataOf(
            api.PUT('/api/v1/extractions/{id}/review', {
              params: { path: { id } },
              body: bodyOf(saved.current.version, sent),
            }),
          );
          saved.current = { version, decisions: sent };
        } catch (failure) {
          if (!(failure instanceof Problem && failure.code === 'review_changed')) throw failure;
          const fresh = await dataOf(api.GET('/api/v1/extractions/{id}', { params: { path: { id } } }));
          const theirs = decisionsOf(fresh.review);
          const both = merged(saved.current.decisions, wanted.current, theirs);
          saved.current = { version: fresh.review?.version ?? 0, decisions: theirs };
          wanted.current = both.decisions;
          setDecisions(both.decisions);
          setPast([]);
          if (both.conflicts.length > 0) {
            // A person decides; until then nothing of theirs is overwritten.
            setConflicts(both.conflicts);
            return;
          }
        }
      }
      sessionStorage.removeItem(draftKey(id));
      void queries.invalidateQueries({ queryKey: ['extractions'] });
    } catch (failure) {
      setError(failure);
    } finally {
      running.current = false;
      setSaving(false);
    }
  }

  function change(next: Decisions): void {
    wanted.current = next;
    setDecisions(next);
    sessionStorage.setItem(draftKey(id), JSON.stringify([...next]));
    if (conflicts.length === 0) void save();
  }

  // A draft of before a reload.
  const onStart = useEffectEvent(() => {
    if (draftOf(id) !== null) void save();
  });
  useEffect(() => onStart(), []);

  return {
    decisions,
    conflicts,
    error,
    isSaving,
    canUndo: past.length > 0,
    decide(index: number, decided: Decided | null) {
      setPast([...past, decisions]);
      const next = new Map(decisions);
      if (decided === null) next.delete(index);
      else next.set(index, decided);
      change(next);
    },
    undo() {
      const before = past.at(-1);
      if (before === undefined) return;
      setPast(past.slice(0, -1));
      change(before);
    },
    retry: () => void save(),
    settle(conflict: Conflict, take: 'mine' | 'theirs') {
      const rest = conflicts.filter((each) => each !== conflict);
      setConflicts(rest);
      const next = new Map(wanted.current);
      if (take === 'theirs') {
        if (conflict.theirs === undefined) next.delete(conflict.index);
        else next.set(conflict.index, conflict.theirs);
      }
      wanted.current = next;
      setDecisions(next);
      if (rest.length === 0) void save();
    },
  };
}

function draftOf(id: string): Decisions | null {
  try {
    const kept = sessionStorage.getItem(draftKey(id));
    return kept === null ? null : new Map(JSON.parse(kept) as [number, Decided][]);
  } catch {
    return null;
  }
}
