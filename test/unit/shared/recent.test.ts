import { expect, it } from 'vitest';
import { Recent } from '../../../functions/shared/recent.ts';
import { testClock } from '../../helpers/clock.ts';

it('keeps a reading for five seconds after it started, and forgets changed items', () => {
  const clock = testClock();
  const recent = new Recent<string>(clock);
  const keep = recent.reading('a');
  clock.advance(2);
  keep('first');
  clock.advance(2.9);
  expect(recent.get('a')).toBe('first');
  clock.advance(0.2);
  expect(recent.get('a')).toBeNull();

  recent.reading('a')('second');
  recent.forget('a');
  expect(recent.get('a')).toBeNull();
});

it('a value that was read before a change, and comes after it, is not kept', () => {
  const recent = new Recent<string>(testClock());
  const keep = recent.reading('a');
  recent.forget('a');
  keep('old');
  expect(recent.get('a')).toBeNull();
});

it('has bounds', () => {
  const recent = new Recent<number>(testClock());
  for (let n = 0; n < 1000; n++) recent.reading(String(n))(n);
  expect(Array.from({ length: 1000 }, (_, n) => recent.get(String(n))).filter((n) => n !== null).length).toBe(200);
  expect(recent.get('999')).toBe(999);
});
