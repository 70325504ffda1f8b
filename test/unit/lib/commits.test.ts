import lint from '@commitlint/lint';
import load from '@commitlint/load';
import { expect, it } from 'vitest';

const { rules, plugins } = await load({}, { cwd: process.cwd() });

const isRight = async (subject: string) => (await lint(subject, rules, { plugins })).valid;

it.each([
  'fix(channels): key the circuit by origin',
  'chore(release): 1.1.0',
  'perf: process pages side by side',
  'docs(deploy): need no account to synthesize',
])('a commit may be called "%s"', async (subject) => {
  expect(await isRight(subject)).toBe(true);
});

it.each([
  'reader: names next to numbers between their lines',
  'fix(channels): keyed the circuit by origin',
  'fix(channels): keys the circuit by origin',
  'fix(channels): the circuit has its origin as key',
  'docs: figures of fresh pages',
  'Fix the circuit',
])('a commit may not be called "%s"', async (subject) => {
  expect(await isRight(subject)).toBe(false);
});
