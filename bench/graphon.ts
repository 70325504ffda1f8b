/**
 * `npm run bench graphon`: Dify files with one feature each, and those of a folder, in this service and in Dify's own engine
 * (graphon, Python 3.12 or 3.13) with the same model. Without Python it compares with the stored results of graphon.
 *
 *     npm run bench graphon -- --python /path/to/python    both engines
 *     npm run bench graphon -- --python … --write          and stores what graphon gives, for the tests
 *     npm run bench graphon -- --python … <folder>         the files of a folder
 *     npm run bench graphon -- --only loop/                cases whose names start so
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import type { DifyCase } from '../test/helpers/workflows/dify-cases/case.ts';
import { DIFY_CASES } from '../test/helpers/workflows/dify-cases/cases.ts';
import { type Results, runHere, runInGraphon } from '../test/helpers/workflows/dify-engines.ts';
import { registered, startLocalService } from './local-service.ts';

/** Of one workspace: 120 are allowed. */
const RUNS_A_MINUTE = 100;
const STORED = new URL('../test/fixtures/dify/graphon.json', import.meta.url);
/** Results of cases that differ on purpose. */
const DIFFERENCES = new URL('../test/fixtures/dify/differences.json', import.meta.url);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string' },
    write: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const [folder] = positionals;
const cases = (folder === undefined ? DIFY_CASES : await casesOf(folder)).filter(({ name }) =>
  name.startsWith(values.only),
);
if (folder !== undefined && values.python === undefined) throw new Error('Files of a folder need --python.');

const { graphon, results: theirs, errors } = values.python ? await runInGraphon(cases, values.python) : await stored();
if (values.write && folder === undefined && values.only === '') await store();

const service = await startLocalService([], { ADDRESS_LIMIT_PER_MINUTE: '0', CHAT_LIMIT_PER_MINUTE: '0' });
let ours: Results;
try {
  let workspaces = 0;
  ours = await runHere(cases, () => registered(service.url, `graphon-${workspaces++}`), RUNS_A_MINUTE);
} finally {
  await service.end();
}

const decided = JSON.parse(await readFile(DIFFERENCES, 'utf8')) as Results;
const counts = { equal: 0, decided: 0, differ: 0 };
for (const { name } of cases) {
  if (isDeepStrictEqual(ours[name], theirs[name])) counts.equal += 1;
  else if (folder === undefined && isDeepStrictEqual(ours[name], decided[name])) counts.decided += 1;
  else {
    counts.differ += 1;
    const why = errors.get(name) ? ` ${errors.get(name)!.trim().split('\n').at(-1)}` : '';
    console.log(`${name}\n  graphon ${JSON.stringify(theirs[name])}${why}\n  here    ${JSON.stringify(ours[name])}`);
  }
}
console.log(
  `${cases.length} files, graphon ${graphon}: ${counts.equal} equal, ${counts.decided} decided otherwise ` +
    `(docs/workflows/differences.md), ${counts.differ} differ`,
);
process.exitCode = counts.differ > 0 ? 1 : 0;

async function stored() {
  const { graphon, results } = JSON.parse(await readFile(STORED, 'utf8')) as { graphon: string; results: Results };
  return { graphon, results, errors: new Map<string, string>() };
}

/** One line a case, for reviews. */
async function store(): Promise<void> {
  const lines = Object.entries(theirs).map(([name, given]) => `${JSON.stringify(name)}: ${JSON.stringify(given)}`);
  await writeFile(STORED, `{"graphon": ${JSON.stringify(graphon)}, "results": {\n${lines.join(',\n')}\n}}\n`);
}

/** The Dify files of a folder, each with texts for its fields and a model that says the same to all. */
async function casesOf(path: string): Promise<readonly DifyCase[]> {
  const names = (await readdir(path, { recursive: true })).filter((name) => /\.ya?ml$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const dsl = await readFile(join(path, name), 'utf8');
      const asksModel = /^\s+type: (llm|question-classifier|parameter-extractor)$/m.test(dsl);
      return { name, dsl, inputs: {}, query: 'Hello', files: [], says: asksModel ? ['A scripted answer.'] : null };
    }),
  );
}
