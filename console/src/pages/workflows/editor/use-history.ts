import { useReducer } from 'react';
import { after, begun } from './history.ts';

export interface Undoable<T> {
  readonly value: T;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** @param about typing into one field of one node is one step */
  readonly set: (value: T, about?: string | null) => void;
  readonly undo: () => void;
  readonly redo: () => void;
}

export function useHistory<T>(initial: () => T): Undoable<T> {
  const [history, dispatch] = useReducer(after<T>, undefined, () => begun(initial()));
  return {
    value: history.present,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    set: (value, about = null) => dispatch({ kind: 'set', value, about }),
    undo: () => dispatch({ kind: 'undo' }),
    redo: () => dispatch({ kind: 'redo' }),
  };
}
