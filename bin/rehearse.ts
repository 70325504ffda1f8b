/**
 * `npm run rehearse`: the API's tests with every function in its own process, under its synthesized environment, before stores that
 * ask its synthesized role; then a first deployment and an upgrade of all stacks in moto, where it is installed. Ends with 1 where a role lacks
 * a right, a test fails, or a stack is refused. Other test files can be named, or `deployment` for that part alone.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { routes } from '../functions/routes.ts';
import { workers } from '../functions/workers.ts';
import { bundleFunctions } from '../lib/packaging/bundle-functions.ts';
import { functionEntries } from '../lib/packaging/function-entries.ts';
import { buildOcrLayer } from '../lib/packaging/ocr-layer.ts';
import type { Cpu } from '../lib/packaging/ocr-layer-contents.ts';
import { REHEARSAL_LAYOUT, type RehearsedCall } from '../test/helpers/rehearsal/rehearsal.ts';
import { type GrantedRight, grantedRights } from '../test/helpers/rights/granted-rights.ts';
import { rehearseDeployment } from './rehearse/first-deploy.ts';

/** One test file or more for each service. */
const REHEARSED = [
  ...['accounts/members', 'accounts/workspace-data', 'accounts/login.test', 'accounts/top-up', 'accounts/budgets'],
  ...['channels/webhooks', 'channels/replies', 'chat/applications', 'chat/tools', 'chat/visitors', 'chat/sockets'],
  ...['extraction/extract.200', 'extraction/extract-batch-async.202', 'extraction/own-list', 'extraction/review'],
  ...['knowledge/knowledge', 'sandbox/get-execution', 'system/system', 'workflows/runs', 'workflows/triggers'],
].map((name) => `test/http/${name}`);

const DEPLOYMENT = 'deployment';
const named = process.argv.slice(2);
const tests = named.filter((name) => name !== DEPLOYMENT);
if (named.length === 0 || tests.length > 0) await rehearseCalls(tests.length > 0 ? tests : REHEARSED);
if (named.length === 0 || named.includes(DEPLOYMENT)) await rehearseDeployment();

async function rehearseCalls(files: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tripod-rehearsal-'));
  try {
    const functions = [...routes, ...workers];
    await bundleFunctions({ outdir: join(folder, REHEARSAL_LAYOUT.functions), entries: functionEntries(functions) });
    await buildOcrLayer(process.arch as Cpu, join(folder, REHEARSAL_LAYOUT.layer));
    const { status } = spawnSync(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...files],
      { env: { ...process.env, REHEARSAL: folder }, stdio: 'inherit' },
    );
    const stored = (await grantedRights()).filter(({ resource }) => /^(table|bucket):/.test(resource));
    const denied = report(callsOf(join(folder, REHEARSAL_LAYOUT.calls)), stored);
    if (status !== 0) console.log('Some tests failed: those that look into the process of a function do here.');
    if (denied > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @returns the number of calls that a role denied. */
function report(calls: readonly RehearsedCall[], granted: readonly GrantedRight[]): number {
  const denied = calls.filter((call) => call.denied !== null);
  for (const reason of new Set(denied.map((call) => call.denied))) console.log(`denied: ${reason}`);
  const ran = new Set(calls.map(({ id }) => id));
  const rehearsed = granted.filter(({ id }) => ran.has(id));
  const sent = new Set(calls.map(({ id, right }) => `${id} ${right}`));
  const seen = rehearsed.filter(({ id, resource, action }) => sent.has(`${id} ${resource} ${action}`));
  console.log(
    [
      `${ran.size} of ${routes.length + workers.length} functions, each in its own process: ${calls.length} calls, ${denied.length} denied.`,
      `Their rights to tables and buckets: ${rehearsed.length} granted, ${seen.length} used here.`,
    ].join('\n'),
  );
  return denied.length;
}

function callsOf(file: string): readonly RehearsedCall[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
