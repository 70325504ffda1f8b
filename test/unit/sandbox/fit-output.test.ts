import { expect, it } from 'vitest';
import { fitOutput } from '../../../functions/sandbox/fit-output.ts';

const MIB = 1024 * 1024;
const payloadBytes = (output: object) => Buffer.byteLength(JSON.stringify({ body: JSON.stringify(output) }));

it.each([
  ['text', 'a line of text\n'],
  ['Korean', '한국어 출력\n'],
  ['JSON', '{"name":"value"},\n'],
])('leaves 2 MiB of %s as they are', (_, line) => {
  const text = line.repeat(Math.floor(MIB / Buffer.byteLength(line)));
  const output = { stdout: text, stderr: text };
  expect(fitOutput(output)).toEqual(output);
});

it('cuts the middle of what would be too large for an answer, and says so', () => {
  const output = { stdout: `begin${'\0'.repeat(MIB)}end`, stderr: 'why' };
  const { stdout, stderr } = fitOutput(output);
  expect(payloadBytes({ stdout, stderr })).toBeLessThan(5_100_000);
  expect(stdout).toMatch(/^begin\0+\n\[\.\.\. \d+ bytes left out \.\.\.\]\n\0+end$/);
  expect(stdout.length).toBeGreaterThan(MIB / 2);
  expect(stderr).toBe('why');
});

it('splits no character', () => {
  const { stdout } = fitOutput({ stdout: '😀'.repeat(1001), stderr: '' }, 1000);
  expect(stdout).not.toContain('\\u');
  expect(stdout.isWellFormed()).toBe(true);
});
