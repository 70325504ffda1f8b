/** Looks at an account before a deployment: see USAGE. */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { givenOptions, readConfig } from '../lib/config.ts';
import { optionsOf, requireKnownOptions } from '../lib/options.ts';
import { runCommand, UsageError } from './command-line.ts';
import { readFacts } from './deploy-check/facts.ts';
import { findingsOf, optionDifferences } from './deploy-check/findings.ts';

const USAGE = `Usage: npm run deploy:check -- [-c name=value]...

Takes the options as npx cdk deploy does: those of deploy/<stage>.json, and -c over them. With the AWS credentials and the region of the
command line (AWS_PROFILE, AWS_REGION) it reads the account, changes nothing, and asks each model on Bedrock for one token. It ends
with 1 where the deployment would fail or starve.`;

const MARKS = { ok: '  ok      ', warning: '  warning ', problem: '  PROBLEM ' } as const;

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const context = contextOf(process.argv.slice(2));
  requireKnownOptions(Object.keys(context), 'The command line (-c)');
  const folder = process.env.TRIPOD_OPTIONS_DIR ?? fileURLToPath(new URL('../deploy/', import.meta.url));
  const file = optionsOf(folder, context.stage ?? 'dev');
  const config = readConfig((name) => context[name], file);
  const facts = await readFacts(config);
  const findings = findingsOf(config, facts);
  console.log(`Stage ${config.stage} in ${facts.region}`);
  for (const { kind, text } of findings) console.log(MARKS[kind] + text);
  const next = givenOptions((name) => context[name], file);
  for (const line of optionDifferences(facts.deployed, next)) console.log(line);
  if (findings.some(({ kind }) => kind === 'problem')) process.exitCode = 1;
}

/** @throws UsageError */
function contextOf(words: string[]): Readonly<Record<string, string>> {
  try {
    const { values } = parseArgs({ args: words, options: { context: { type: 'string', short: 'c', multiple: true } } });
    return Object.fromEntries(
      (values.context ?? []).map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        return [name, value];
      }),
    );
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
