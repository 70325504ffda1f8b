import { expect, it } from 'vitest';
import { after, begun, type History, type Step } from '../../../../console/src/pages/workflows/editor/history.ts';

const set = (value: string, about: string | null = null): Step<string> => ({ kind: 'set', value, about });
const walk = (...steps: readonly Step<string>[]) => steps.reduce<History<string>>(after, begun('a'));

it('undoes and redoes one change after the other, and forgets undone changes with the next one', () => {
  const undone = walk(set('b'), set('c'), { kind: 'undo' });
  expect(undone.present).toBe('b');
  expect(after(undone, { kind: 'redo' }).present).toBe('c');
  const changed = after(undone, set('d'));
  expect([changed.present, changed.future, changed.past]).toEqual(['d', [], ['a', 'b']]);
});

it('typing into one field is one step, into another one a further step', () => {
  const typed = walk(set('b', 'title'), set('bc', 'title'), set('bcd', 'text'));
  expect(typed.past).toEqual(['a', 'bc']);
});

it('stays where it is at either end', () => {
  expect([walk({ kind: 'undo' }).present, walk({ kind: 'redo' }).present]).toEqual(['a', 'a']);
});
