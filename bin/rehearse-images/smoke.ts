import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, ORIGIN, type Stack } from './stack.ts';

export interface Step {
  readonly name: string;
  /** @returns the finding, in a few words. @throws Error that names the difference */
  readonly run: (stack: Stack) => Promise<string>;
}

interface Credentials {
  readonly workspaceId: string;
  readonly apiKey: string;
}

/** One program of each language that the image of the runner is to have. */
const PROGRAMS = {
  bash: 'echo 42',
  go: 'package main\nimport "fmt"\nfunc main() { fmt.Println(6 * 7) }',
  javascript: 'console.log(6 * 7)',
  python: 'import numpy\nprint(numpy.int64(6) * 7)',
  ruby: 'puts 6 * 7',
  typescript: 'const product: number = 6 * 7; console.log(product)',
} as const;

const MAX_TRIES = 60;

/** CHOWN, DAC_OVERRIDE, KILL, SETGID and SETUID, as the kernel prints them. */
const RUNNER_CAPABILITIES = '0{14}e3';

/**
 * The steps in their order, on a stack that has just started.
 * @param backup empty folder of this machine for an archive
 * @param previous image of the last release; absent: no upgrade
 */
export function smoke(backup: string, previous: string | undefined): readonly Step[] {
  return [
    { name: 'containers are confined', run: confined },
    { name: 'first workspace, and one more by its command', run: workspaces },
    { name: 'extraction, chat, batch, program and fourteen other calls, through the proxy', run: calls },
    { name: 'programs of each language', run: programs },
    { name: 'console and script for websites', run: consoleServed },
    { name: 'lines of metrics name the service', run: metrics },
    { name: 'backup and restore', run: (stack) => restored(stack, backup) },
    ...(previous === undefined
      ? []
      : [{ name: 'upgrade and roll-back', run: (stack: Stack) => upgraded(stack, previous) }]),
  ];
}

async function confined(stack: Stack): Promise<string> {
  const look = 'grep CapEff /proc/self/status; id -u; touch /app/x 2>&1; touch /tmp/x && echo writable';
  for (const [name, capabilities, user] of [
    ['tripod', '0{16}', '1000'],
    ['runner-1', RUNNER_CAPABILITIES, '0'],
  ] as const) {
    const text = await stack.exec(name, 'sh', '-c', look);
    for (const expected of [`CapEff:\\s+${capabilities}`, `${user}`, '.*Read-only file system', 'writable'])
      if (!new RegExp(`^${expected}$`, 'm').test(text))
        throw new Error(`${name} is not confined as compose.yaml says: ${expected} is not in\n${text}`);
  }
  return 'read-only roots, user 1000 without capabilities, runners with five';
}

async function workspaces(stack: Stack): Promise<string> {
  const first = await keyOf(stack);
  const command = ['node', 'bin/workspace-create.ts', '--email', 'ward@hospital.example', '--data-dir', '/data'];
  const { apiKey } = jsonIn<Credentials>(await stack.exec('tripod', ...command));
  return `balances ${await balance(stack, first)} and ${await balance(stack, apiKey)} KRW`;
}

async function calls(stack: Stack): Promise<string> {
  const key = await keyOf(stack);
  const before = await balance(stack, key);
  const text = await check(stack);
  return `${text.trimEnd().split('\n').at(-1)} They cost ${before - (await balance(stack, key))} KRW`;
}

async function programs(stack: Stack): Promise<string> {
  const key = await keyOf(stack);
  for (const [language, code] of Object.entries(PROGRAMS)) {
    const { status, text } = await execute(stack, key, { language, code });
    if (status !== 200 || !/"42\\n"/.test(text)) throw new Error(`${language}: ${status} ${text.slice(0, 600)}`);
  }
  return Object.keys(PROGRAMS).join(', ');
}

/** Tries again while both runners start anew, as a client does. */
async function execute(stack: Stack, key: string, program: object): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await stack.call('POST', '/api/v1/execute', key, program);
    if (answer.status !== 503 || tries === MAX_TRIES) return answer;
    await sleep(1000);
  }
}

async function consoleServed(stack: Stack): Promise<string> {
  const page = await stack.call('GET', '/');
  const scripts = [...page.text.matchAll(/<script[^>]* src="(\/[^"]+)"/g)].map(([, path = '']) => path);
  if (page.status !== 200 || scripts.length === 0)
    throw new Error(`The console is not served: ${page.status} ${page.text.slice(0, 300)}`);
  for (const path of [...scripts, '/embed.js']) {
    const { status, type } = await stack.call('GET', path);
    if (status !== 200 || !type.includes('javascript')) throw new Error(`${path}: ${status} ${type}`);
  }
  return `${ORIGIN}, ${scripts.length + 1} scripts`;
}

async function metrics(stack: Stack): Promise<string> {
  const lines = (await stack.logs('tripod')).split('\n').filter((line) => line.includes('"_aws"'));
  const names = new Set(lines.map((line) => (JSON.parse(line) as { service?: string }).service ?? 'none'));
  if (names.has('service_undefined') || names.has('none')) throw new Error(`Their services: ${[...names].join(', ')}`);
  return `${lines.length} lines, services: ${[...names].join(', ') || 'none written'}`;
}

/** As docs/on-premises.md says, with tar alone: the stand-in for the stores keeps files. */
async function restored(stack: Stack, folder: string): Promise<string> {
  const before = await topUp(stack, 'before the backup');
  await stack.stopService();
  await stack.archive(folder, '-czf /b/data.tar.gz .');
  await stack.startService();
  const after = await topUp(stack, 'after the backup');
  if (after <= before) throw new Error(`A payment between backup and restore left the balance at ${after} KRW.`);
  await stack.stopService();
  stack.useVolumes('restored');
  await stack.archive(folder, '-xzf /b/data.tar.gz');
  await stack.startService();
  await expectBalance(stack, before);
  await check(stack);
  return `${before} KRW as at the backup, and all calls succeed`;
}

async function upgraded(stack: Stack, previous: string): Promise<string> {
  await stack.stopService();
  stack.useVolumes('previous');
  await stack.startService(previous);
  const paid = await topUp(stack, 'to the previous version');
  await stack.stopService();
  await stack.startService();
  await expectBalance(stack, paid);
  await check(stack);
  const more = await topUp(stack, 'to this version');
  await stack.stopService();
  await stack.startService(previous);
  await expectBalance(stack, more);
  return 'this version reads and writes data of the previous one, which then reads them again';
}

/** Pays to the first workspace by the operator's command. @returns the balance in KRW */
async function topUp(stack: Stack, reference: string): Promise<number> {
  const { workspaceId, apiKey } = await credentials(stack);
  const payment = ['--workspace', workspaceId, '--amount', '1000', '--reference', reference];
  await stack.exec('tripod', 'node', 'bin/top-up.ts', ...payment, '--data-dir', '/data');
  return balance(stack, apiKey);
}

/** The calls of `npm run first-deploy-check`, of this version. */
async function check(stack: Stack): Promise<string> {
  return stack.fromOutside('bin/first-deploy-check.ts', '--url', ORIGIN, '--key', await keyOf(stack));
}

async function keyOf(stack: Stack): Promise<string> {
  return (await credentials(stack)).apiKey;
}

/** Of the first workspace, as the operator reads them. */
async function credentials(stack: Stack): Promise<Credentials> {
  return jsonIn(await stack.exec('tripod', 'cat', '/data/credentials.json'));
}

async function balance(stack: Stack, key: string): Promise<number> {
  const { status, text } = await stack.call('GET', '/api/v1/balance', key);
  if (status !== 200) throw new Error(`The balance was answered with ${status}: ${text}`);
  const { balanceKrw } = jsonIn<{ balanceKrw?: number }>(text);
  if (balanceKrw === undefined) throw new Error(`The balance is not in ${text}`);
  return balanceKrw;
}

async function expectBalance(stack: Stack, expected: number): Promise<void> {
  const found = await balance(stack, await keyOf(stack));
  if (found !== expected) throw new Error(`The balance is ${found} KRW in place of ${expected} KRW.`);
}

/** The JSON object in what a command printed, warnings aside. */
function jsonIn<T>(text: string): T {
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as T;
}
