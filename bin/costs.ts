/** Prints what the service costs on AWS, by endpoint and leg: see USAGE. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runCommand, UsageError } from './command-line.ts';
import { costReport } from './costs/report.ts';

const USAGE = `Usage: npm run costs -- [--calls 1000000] [--write]

  --calls  calls of each endpoint that the table is for
  --write  writes docs/costs.md in place of printing it`;

const PAGE = new URL('../docs/costs.md', import.meta.url);

await runCommand(USAGE, async () => {
  const { calls, write } = readArguments();
  if (write) await writeFile(PAGE, costReport(calls));
  else console.log(costReport(calls).trimEnd());
});

function readArguments() {
  try {
    const { values } = parseArgs({
      options: { calls: { type: 'string', default: '1000000' }, write: { type: 'boolean', default: false } },
    });
    const calls = Number(values.calls);
    if (!Number.isSafeInteger(calls) || calls < 1) throw new Error('--calls must be a whole number of at least 1.');
    return { calls, write: values.write };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
