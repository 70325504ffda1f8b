/** Runs a workflow of examples/ on the local service: see USAGE. */
import { readFile } from 'node:fs/promises';
import { readCredentials } from '../local/credentials.ts';
import { announced } from '../local/running-service.ts';
import { startLocalService } from '../local/service.ts';
import { readSettings } from '../local/settings.ts';
import { type ExampleService, runExample, type WorkflowExample } from '../local/workflow-example.ts';
import { runCommand, UsageError } from './command-line.ts';

const USAGE = `Usage: npm run workflow -- examples/<name>.json

Creates the workflow, publishes and runs it, approves what it waits for, prints what every node did, and removes it. It uses the
local service that runs, or starts one for as long as it takes.`;

await runCommand(USAGE, async () => {
  const [file, ...rest] = process.argv.slice(2);
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

async function openService(): Promise<{ service: ExampleService; stop: () => Promise<void> }> {
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
