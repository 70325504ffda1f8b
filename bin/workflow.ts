/** Runs a workflow of examples/, and keeps workflows as files: see USAGE. */
import { readFile, writeFile } from 'node:fs/promises';
import { readCredentials } from '../local/credentials.ts';
import { announced } from '../local/running-service.ts';
import { startLocalService } from '../local/service.ts';
import { readSettings } from '../local/settings.ts';
import { type ExampleService, runExample, type WorkflowExample } from '../local/workflow-example.ts';
import { diffWorkflow, pullWorkflow, pushWorkflow } from '../local/workflow-file.ts';
import { evaluateTests } from '../local/workflow-tests.ts';
import { runCommand, UsageError } from './command-line.ts';

const USAGE = `Usage: npm run workflow -- examples/<name>.json
       npm run workflow -- pull <id> <file.yaml>
       npm run workflow -- push <file.yaml>
       npm run workflow -- diff <file.yaml>
       npm run workflow -- evaluate <tests.yaml>

pull writes a workflow as a file for Git, push makes a file the draft of its workflow, or a new one, diff shows what push would
change. A push of a graph with faults stores it, prints them, and exits with 1. evaluate runs the cases of a test set, prints a report, and exits with 1 where one has not passed. They use TRIPOD_URL and TRIPOD_API_KEY where these are set, and the local service elsewhere.

With an example: creates the workflow, publishes and runs it, approves what it waits for, prints what every node did, and removes it. It uses the
local service that runs, or starts one for as long as it takes.`;

await runCommand(USAGE, async () => {
  const [file, ...rest] = process.argv.slice(2);
  if (file === 'pull' || file === 'push' || file === 'diff') return exchange(file, rest);
  if (file === 'evaluate') return evaluate(rest);
  if (file === undefined || rest.length > 0) throw new UsageError('Name one example.');
  const example = JSON.parse(await readFile(file, 'utf8')) as WorkflowExample;
  const { service, stop } = await openService();
  try {
    const { run, received } = await runExample(service, example, (line) => console.log(line));
    for (const { execution_key, status, elapsed_ms } of run.nodes)
      console.log(`${execution_key.padEnd(20)} ${status.padEnd(10)} ${elapsed_ms ?? '-'} ms`);
    for (const result of received) console.log(`Posted: ${JSON.stringify(result)}`);
    console.log(`\n${run.status}${run.failure ? `: ${run.failure.message}` : ''}\n${run.answer}`);
    if (run.status !== 'succeeded') process.exitCode = 1;
  } finally {
    await stop();
  }
});

async function evaluate([path, ...more]: readonly string[]): Promise<void> {
  if (path === undefined || more.length > 0) throw new UsageError('Name one file with a test set.');
  const { service, stop } = await openService();
  try {
    const report = await evaluateTests(service, await readFile(path, 'utf8'));
    console.log(report.lines.join('\n'));
    if (report.failed > 0) process.exitCode = 1;
  } finally {
    await stop();
  }
}

async function exchange(action: 'pull' | 'push' | 'diff', args: readonly string[]): Promise<void> {
  const [id, path] = action === 'pull' ? [args[0], args[1]] : [null, args[0]];
  if (id === undefined || path === undefined || args.length > (action === 'pull' ? 2 : 1))
    throw new UsageError(action === 'pull' ? 'Name the id of a workflow and a file.' : 'Name one file.');
  const { service, stop } = await openService();
  try {
    if (action === 'pull') await writeFile(path, await pullWorkflow(service, id!));
    else if (action === 'push') {
      const { text, faults } = await pushWorkflow(service, await readFile(path, 'utf8'));
      await writeFile(path, text);
      for (const fault of faults) console.error(fault);
      if (faults.length > 0) process.exitCode = 1;
    } else {
      const diff = await diffWorkflow(service, await readFile(path, 'utf8'));
      console.log(diff === '' ? 'The file and its workflow are the same.' : diff);
      if (diff !== '') process.exitCode = 1;
    }
  } finally {
    await stop();
  }
}

async function openService(): Promise<{ service: ExampleService; stop: () => Promise<void> }> {
  const { TRIPOD_URL: url, TRIPOD_API_KEY: apiKey } = process.env;
  if (url && apiKey) return { service: { url: url.replace(/\/$/, ''), apiKey }, stop: async () => undefined };
  const settings = readSettings(process.env);
  const { dataDirectory } = settings;
  const running = await announced(dataDirectory);
  const isAlive =
    running &&
    (await fetch(`${running.url}/api/v1/health`)
      .then(({ ok }) => ok)
      .catch(() => false));
  const credentials = await readCredentials(dataDirectory);
  if (running && isAlive && credentials)
    return { service: { url: running.url, apiKey: credentials.apiKey }, stop: async () => undefined };
  const started = await startLocalService({ ...settings, port: 0 });
  return { service: { url: started.url, apiKey: started.credentials.apiKey }, stop: () => started.stop() };
}
