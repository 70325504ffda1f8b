import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LetterPrior } from '../../../functions/extraction/domain/reading/letter-prior.ts';

describe("the recogniser's prior over names", () => {
  it('is what its script makes of the shipped drug list', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tripod-names-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const run = (script: string, ...args: string[]) =>
      execFileSync(process.execPath, [`training/hangul/${script}`, ...args.map((each) => join(folder, each))]);
    run('listed-names.ts', '.');
    run('name-prior.ts', 'drug-names.bin', 'tuned.txt', 'untuned.txt');
    const made = readFileSync(join(folder, 'drug-names.bin'));
    expect(made.equals(readFileSync('layers/ocr/drug-names.bin')), 'Make it anew: training/hangul/README.md').toBe(
      true,
    );
  });

  it('finds the rest of a word of names likely, and of no word unlikely', () => {
    const prior = new LetterPrior(readFileSync('layers/ocr/drug-names.bin'));
    expect(prior.logOf('아목시', '실')).toBeGreaterThan(Math.log(0.8));
    expect(prior.logOf('아목시', '뷁')).toBeLessThan(Math.log(0.001));
  });
});
