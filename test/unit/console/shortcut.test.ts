import { expect, it } from 'vitest';
import { shortcutOf } from '../../../console/src/pages/review/shortcut.ts';

it.each([
  ['a Latin letter', { key: 'j', code: 'KeyJ' }, 'j'],
  ['a capital letter', { key: 'J', code: 'KeyJ' }, 'j'],
  ['a Hangul letter at the place of j', { key: 'ㅓ', code: 'KeyJ' }, 'j'],
  ['a key that the input method keeps', { key: 'Process', code: 'KeyS' }, 's'],
  ['a Latin letter at another place', { key: 'j', code: 'KeyC' }, 'j'],
  ['a sign', { key: '?', code: 'Slash' }, '?'],
  ['Enter', { key: 'Enter', code: 'Enter' }, 'Enter'],
])('%s has the shortcut of its letter', (_name, event, shortcut) => {
  expect(shortcutOf(event)).toBe(shortcut);
});
