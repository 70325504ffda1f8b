import { afterAll, afterEach, beforeAll } from 'vitest';
import { DynamoRunners } from '../../../functions/adapters/runner/dynamo-runners.ts';
import { RunnerContainers } from '../../../functions/adapters/runner/runner-containers.ts';
import { RunnerHttp } from '../../../functions/adapters/runner/runner-http.ts';
import { RunnerProcesses } from '../../../functions/adapters/runner/runner-processes.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { describeRunnerRegistry } from '../../helpers/runner-registry-contract.ts';
import { killRunners, RUNNER_TOKEN, type StartedRunner, startRunner } from '../../helpers/started-runner.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

describeRunnerRegistry('DynamoRunners', async () => {
  const registry = new DynamoRunners(dynamo.client, TABLES.runners, testClock());
  // What earlier tests have registered is gone.
  for (const { id, url, version } of await registry.all())
    await registry.recordTask({ id, url, version: version + 1, state: 'gone' });
  await registry.saveLanguages([{ name: 'javascript', version: '24.0.0' }]);
  for (const id of [crypto.randomUUID(), crypto.randomUUID()])
    await registry.recordTask({ id, url: `http://${id}:8080`, version: 1, state: 'up' });
  return { registry, unavailable: '' };
});

const started: RunnerProcesses[] = [];
afterEach(() => {
  for (const registry of started.splice(0)) registry.stop();
});

describeRunnerRegistry('RunnerProcesses', async () => {
  const registry = new RunnerProcesses(2, () => undefined);
  started.push(registry);
  const unavailable = await registry.languages().then(
    () => '',
    (error: Error) => error.message,
  );
  return { registry, unavailable };
});

let containers: readonly (StartedRunner | string)[] | undefined;
afterAll(killRunners);

describeRunnerRegistry('RunnerContainers', async () => {
  const start = () => startRunner([process.execPath, 'sandbox/main.ts'], { RUNNER_MAX_USES: '0' });
  containers ??= await Promise.all([start(), start()]);
  const unavailable = containers.find((each) => typeof each === 'string');
  const urls = containers.flatMap((each) => (typeof each === 'string' ? [] : [each.url]));
  const client = new RunnerHttp({ token: async () => RUNNER_TOKEN, patienceMs: 10_000 });
  return { registry: new RunnerContainers(urls, client, testClock().now), unavailable: unavailable ?? '' };
});
