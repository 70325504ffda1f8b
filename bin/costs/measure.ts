/**
 * `npm run costs:measure -- test/http`: runs tests, and writes what they show of each function to `bin/costs/measured.json`, and with it
 * docs/costs.md. After a new route its own test is enough: `npm run costs:measure -- test/http/notes/list-notes.test.ts`.
 *
 * Of every function's successful invocations the one of the upper quartile by its units of DynamoDB represents all, since tests also send quick calls such as repetitions; with the lower quartile of the processor time, which the loading of modules
 * and other work of the same thread only lengthen. A function that is not among them keeps its figures.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { routes } from '../../functions/routes.ts';
import type { MeasuredInvocation } from '../../test/helpers/measured-calls.ts';
import { type MeasuredFunction, measuredFunctions } from './measured.ts';

const folder = mkdtempSync(join(tmpdir(), 'tripod-costs-'));
try {
  const file = join(folder, 'calls.jsonl');
  writeFileSync(file, '');
  const env = { ...process.env, MEASURED_CALLS: file };
  run(['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)], env);
  enter(readFileSync(file, 'utf8'));
  run(['bin/costs.ts', '--write'], process.env);
} finally {
  rmSync(folder, { recursive: true });
}

function run(parameters: readonly string[], env: NodeJS.ProcessEnv): void {
  const { status } = spawnSync(process.execPath, parameters, { env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${parameters[0]} ended with ${status}: nothing was entered.`);
}

function enter(lines: string): void {
  const byFunction = new Map<string, MeasuredInvocation[]>();
  for (const line of lines.split('\n').filter((text) => text !== '')) {
    const invocation = JSON.parse(line) as MeasuredInvocation;
    if (invocation.status >= 400 && !isUsual(invocation)) continue;
    byFunction.set(invocation.id, [...(byFunction.get(invocation.id) ?? []), invocation]);
  }
  const measured = new Map(Object.entries(measuredFunctions));
  for (const [id, invocations] of byFunction) measured.set(id, summaryOf(invocations));
  const sorted = [...measured].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const path = fileURLToPath(new URL('measured.json', import.meta.url));
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}

/** Whether a route has no success among its answers, and this refusal is the first of them. */
function isUsual({ id, status }: MeasuredInvocation): boolean {
  const statuses = Object.keys(routes.find((route) => route.id === id)?.responses ?? {});
  return statuses[0] === String(status);
}

function summaryOf(invocations: readonly MeasuredInvocation[]): MeasuredFunction {
  const usual = quantile(invocations, unitsIn, 0.75);
  const calls: Record<string, number> = {};
  for (const { service, requests } of usual.calls)
    if (service !== 'dynamodb' && requests > 0) calls[service] = (calls[service] ?? 0) + requests;
  return {
    invocations: invocations.length,
    cpuMs: Math.ceil(quantile(invocations, ({ cpuMs }) => cpuMs, 0.25).cpuMs),
    inTurn: usual.inTurn,
    reads: sum(usual.calls.map(({ reads }) => reads)),
    writes: sum(usual.calls.map(({ writes }) => writes)),
    responseBytes: usual.responseBytes,
    calls,
  };
}

function unitsIn({ calls }: MeasuredInvocation): number {
  return sum(calls.map(({ reads, writes }) => reads + 5 * writes));
}

function quantile<T>(values: readonly T[], by: (value: T) => number, share: number): T {
  return values.toSorted((a, b) => by(a) - by(b))[Math.floor(values.length * share)]!;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
