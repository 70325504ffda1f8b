import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMasterFile } from '../../../../functions/adapters/drug-master/file-drug-master.ts';

const TOOL = fileURLToPath(new URL('../../../../bin/master-import.ts', import.meta.url));
const LIST = `약제급여목록,,,,,
연번,제품코드,제품명,업체명,단위,상한금액
,[내복제],,,,
1,640000010,가람정,가람,정,"1,234"
2,73400340,나루정,나루,정,56
`;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-import-'));
  await writeFile(join(directory, 'october.csv'), LIST);
  await writeFile(join(directory, 'november.csv'), LIST.replace('"1,234"', '1200'));
  await writeFile(join(directory, 'letter.csv'), 'Dear Sir or Madam\n');
});
afterAll(() => rm(directory, { recursive: true }));

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [TOOL, ...args], { cwd: directory }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe('npm run master:import', { timeout: 60_000 }, () => {
  it('enters lists into the data directory, newest first or last, and sums up', async () => {
    const november = await run('november.csv', '--date', '2026-11-01', '--data-dir', 'data');
    expect(november).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('added 2, price changed 0, delisted 0'),
    });
    const october = await run('october.csv', '--date', '2026-10-01', '--data-dir', 'data');
    expect(october.stdout).toContain('from 2 list(s)');
    const again = await run('october.csv', '--date', '2026-10-01', '--data-dir', 'data');
    expect(again.stdout).toContain('added 0, price changed 0, delisted 0, unchanged 2');
    const master = await readMasterFile(join(directory, 'data', 'master', 'drug-master.tsv.gz'));
    expect(master?.info.dates).toEqual(['2026-10-01', '2026-11-01']);
    expect(master?.drugs.map(({ code, prices }) => [code, ...prices.map(({ krw }) => krw)])).toEqual([
      ['073400340', 56],
      ['640000010', 1234, 1200],
    ]);
  });

  it('takes a list with its own history without a date', async () => {
    const sample = fileURLToPath(new URL('../../../../layers/master/sample.csv', import.meta.url));
    const { code, stdout } = await run(sample, '--data-dir', 'sample');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/holds the \d{3} drugs/) });
  });

  it.each([
    ['no file named', [], /Name one file[\s\S]*Usage/],
    ['no such file', ['missing.csv', '--date', '2026-11-01'], /There is no file missing\.csv/],
    ['no date', ['october.csv'], /--date is missing[\s\S]*Usage/],
    ['a day that no month has', ['october.csv', '--date', '2026-02-30'], /--date is "2026-02-30"/],
    ['no list', ['letter.csv', '--date', '2026-11-01'], /not a drug price list/],
    ['an unknown option', ['october.csv', '--when', 'now'], /--when/],
    ['no bucket', ['october.csv', '--date', '2026-11-01', '--bucket', 'masters'], /s3:\/\/bucket\/key/],
  ])('refuses %s', async (_case, args, message) => {
    const { code, stderr } = await run(...args, '--data-dir', 'refused');
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(await readMasterFile(join(directory, 'refused', 'master', 'drug-master.tsv.gz'))).toBeNull();
  });
});
