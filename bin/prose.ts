/** `npm run check`: finds phrases in comments, messages, test names and docs that docs/contributing/style.md advises against. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ALLOWED } from './prose/allowed.ts';
import { findingsIn } from './prose/findings.ts';

const ROOT = new URL('../', import.meta.url);

/** Texts that are not ours, are generated elsewhere, or quote the phrases. */
const LEFT_OUT = [
  /^test\/fixtures\//,
  /^console\/src\/api\/openapi\.d\.ts$/,
  /^bin\/prose\//,
  /^test\/unit\/lib\/prose\.test\.ts$/,
];

/** `npm run prose -- functions/chat` checks one folder. */
const [only = ''] = process.argv.slice(2);

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: fileURLToPath(ROOT),
  encoding: 'utf8',
});
const files = listed
  .split('\n')
  .filter((file) => file !== '' && file.startsWith(only) && !LEFT_OUT.some((left) => left.test(file)));

const findings = files.flatMap((file) => findingsIn(file, readText(file), ALLOWED));
for (const { file, line, words, pattern } of findings)
  console.log(`${file}:${line}  …${words}…\n    ${pattern.name}: ${pattern.advice}`);
if (findings.length > 0) {
  console.log(`${findings.length} phrases to reword. Advice: docs/contributing/style.md.`);
  process.exitCode = 1;
}

/** Empty for a file that is listed but deleted in the working tree. */
function readText(file: string): string {
  try {
    return readFileSync(new URL(file, ROOT), 'utf8');
  } catch {
    return '';
  }
}
