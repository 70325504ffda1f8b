import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  MASTER_FILE,
  readMasterFile,
  writeMasterFile,
} from '../../../../functions/adapters/drug-master/file-drug-master.ts';
import { readShippedMaster } from '../../../../functions/adapters/drug-master/shipped-master.ts';
import { masterData } from '../../../helpers/master-data.ts';
import { codeAt, publishedForms } from '../../../helpers/published-lists.ts';

const TOOL = fileURLToPath(new URL('../../../../bin/master-import.ts', import.meta.url));
const LIST = `약제급여목록,,,,,
연번,제품코드,제품명,업체명,단위,상한금액
,[내복제],,,,
1,640000010,가람정,가람,정,"1,234"
2,73400340,나루정,나루,정,56
`;
const ROWS = 30_000;
const FEW_ROWS = 3_000;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tripod-import-'));
  await writeFile(join(directory, 'october.csv'), LIST);
  await writeFile(join(directory, 'november.csv'), LIST.replace('"1,234"', '1200'));
  await writeFile(join(directory, 'wrong.csv'), LIST.replace('"1,234"', '1x4').replace('73400340', '6400000100'));
  await writeFile(join(directory, 'dated.csv'), LIST.replace('약제급여목록', '약제급여목록 (2026.10.1.)'));
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

const masterOf = (data: string) => readMasterFile(join(directory, data, MASTER_FILE));

describe('npm run master:import', { timeout: 60_000 }, () => {
  it('enters lists on top of the shipped one, newest first or last, and sums up', async () => {
    const november = await run('november.csv', '--date', '2026-11-01', '--data-dir', 'data', '--force');
    expect(november).toMatchObject({ code: 0, stdout: expect.stringContaining('added 1, changed 1, ended ') });
    const october = await run('october.csv', '--date', '2026-10-01', '--data-dir', 'data', '--force');
    expect(october.stdout).toContain('2 monthly list(s) are in it');
    const again = await run('october.csv', '--date', '2026-10-01', '--data-dir', 'data');
    expect(again.stdout).toContain('added 0, changed 0, ended 0, unchanged 2');
    expect(again.stdout).toContain('skipped: 1 headings');
    const master = await masterOf('data');
    const shipped = await readShippedMaster();
    expect(master!.info).toEqual({ ...shipped.info, version: '2026-11-01', dates: ['2026-10-01', '2026-11-01'] });
    const krws = (code: string) => master!.drugs.find((drug) => drug.code === code)?.prices.map(({ krw }) => krw);
    expect(krws('640000010')?.slice(-2)).toEqual([1234, 1200]);
    expect(krws('073400340')?.slice(-1)).toEqual([56]);
    // Nothing of the shipped history is lost: drugs that the short list lacks have ended, with all their prices.
    expect(master!.drugs.length).toBeGreaterThanOrEqual(shipped.drugs.length);
    const { code, prices } = shipped.drugs[0]!;
    expect(krws(code)).toEqual([...prices.map(({ krw }) => krw), null]);
  });

  /** Of each form a few thousand rows, and of the one with the most columns as many as a whole list has. */
  const forms = Object.entries(publishedForms).map(
    ([form, make]) => [form, form.includes('20 columns') ? ROWS : FEW_ROWS, make] as const,
  );
  it.each(forms)('takes %s with %i rows', async (form, rows, make) => {
    const { name, bytes } = make(rows);
    await mkdir(join(directory, form));
    await writeFile(join(directory, form, name), bytes);
    const { code, stdout, stderr } = await run(join(form, name), '--data-dir', form, '--force');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const listed = form === "the portal's master" ? (rows * 3) / 4 : rows;
    expect(stdout).toContain(`: ${listed} rows of drugs`);
    const drugs = new Map((await masterOf(form))!.drugs.map((drug) => [drug.code, drug]));
    expect(drugs.has(codeAt(rows - 2))).toBe(true);
    const { prices, name: drugName, maker } = drugs.get(codeAt(4))!;
    const { prices: unpriced, oldCodes } = drugs.get(codeAt(rows - 500))!;
    if (form.startsWith('the portal')) {
      const shipped = (await readShippedMaster()).drugs.find((drug) => drug.code === codeAt(4));
      expect([prices, maker]).toEqual([shipped?.prices ?? [], '가람제약']);
    } else {
      expect(prices.findLast(({ from }) => from <= '2026-09-01')).toMatchObject({ krw: 54, listed: true });
      expect(drugName).toContain('가람4정');
      expect(unpriced.findLast(({ from }) => from <= '2026-09-01')).toEqual({
        from: '2026-09-01',
        krw: null,
        listed: true,
      });
    }
    const hasOldCodes = /13|20|dates/.test(form);
    expect(oldCodes).toEqual(hasOldCodes ? [String(Number(codeAt(rows - 500)) + 1)] : []);
  });

  it.each([
    ['no file named', [], /Name one file[\s\S]*Usage/],
    ['no such file', ['missing.csv', '--date', '2026-11-01'], /There is no file missing\.csv/],
    ['no date', ['october.csv'], /--date is missing[\s\S]*Usage/],
    ['a day that no month has', ['october.csv', '--date', '2026-02-30'], /--date is "2026-02-30"/],
    ['another day than the title says', ['dated.csv', '--date', '2026-11-01'], /the file says 2026-10-01/],
    ['no list', ['letter.csv', '--date', '2026-11-01'], /not a drug list/],
    ['wrong rows', ['wrong.csv', '--date', '2026-11-01'], /Row 4: the price "1x4"[\s\S]*Row 5: "6400000100"/],
    ['a part of a list', ['october.csv', '--date', '2026-11-01'], /would end them: \d{9} [\s\S]*--partial/],
    ['an unknown option', ['october.csv', '--when', 'now'], /--when/],
    ['no bucket', ['october.csv', '--date', '2026-11-01', '--bucket', 'masters'], /s3:\/\/bucket\/key/],
  ])('refuses %s, and changes nothing', async (_case, args, message) => {
    const { code, stderr } = await run(...args, '--data-dir', 'refused');
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(await masterOf('refused')).toBeNull();
  });

  it('leaves the old list whole when it is killed in the middle', async () => {
    const path = join(directory, 'killed', MASTER_FILE);
    await writeMasterFile(path, masterData('2026-10-01'));
    const before = await readFile(path);
    const { name, bytes } = publishedForms['our own history'](ROWS);
    await writeFile(join(directory, name), bytes);
    for (let attempt = 0; attempt < 5; attempt++) {
      const tool = spawn(process.execPath, [TOOL, name, '--data-dir', 'killed'], { cwd: directory, stdio: 'ignore' });
      await killedAfterBeginningToWrite(tool, dirname(path), 250 * attempt);
      const now = await readFile(path);
      if (!now.equals(before)) expect((await readMasterFile(path))!.drugs.length).toBeGreaterThan(ROWS);
      else expect(await readMasterFile(path)).toEqual(masterData('2026-10-01'));
    }
  });
});

/** Kills the process as soon as its new file exists, and otherwise after a while, at any moment. */
async function killedAfterBeginningToWrite(tool: ChildProcess, where: string, otherwiseMs: number): Promise<void> {
  const ended = once(tool, 'exit');
  const deadline = performance.now() + otherwiseMs;
  while (tool.exitCode === null && performance.now() < deadline) {
    if ((await readdir(where)).some((name) => name.endsWith('.tmp'))) break;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  tool.kill('SIGKILL');
  await ended;
}
