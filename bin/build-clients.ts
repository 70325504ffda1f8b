/**
 * `npm run build:clients`: the clients of clients/ as packages in dist/clients, with code generated from the service's OpenAPI document.
 * The generators are installed next to the copies that are built there. With `typescript` or `python` it builds one of them.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { routes } from '../functions/routes.ts';
import { openApiDocument } from '../functions/system/openapi/openapi-document.ts';
import { repository } from '../lib/packaging/paths.ts';

const execute = promisify(execFile);
const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { version: string };
const target = join(repository, 'dist', 'clients');

/** The folder of a client, copied, with the version of the service. */
async function copyOf(name: string, manifest: string, unversioned: string, versioned: string): Promise<string> {
  const folder = join(target, name);
  await rm(folder, { recursive: true, force: true });
  await cp(join(repository, 'clients', name), folder, { recursive: true });
  const file = join(folder, manifest);
  await writeFile(file, (await readFile(file, 'utf8')).replace(unversioned, versioned));
  const document = openApiDocument(routes, { version, serverUrl: '/' });
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  return folder;
}

/** @throws Error with what the command printed */
async function run(cwd: string, command: string, ...parameters: string[]): Promise<void> {
  try {
    await execute(command, parameters, { cwd, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${[command, ...parameters].join(' ')} failed:\n${stdout}${stderr}`);
  }
}

async function buildTypescript(): Promise<string> {
  const folder = await copyOf('typescript', 'package.json', '"version": "0.0.0"', `"version": "${version}"`);
  await run(folder, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  await run(folder, 'npm', 'run', 'build');
  await run(folder, 'npm', 'pack', '--pack-destination', target);
  return join(target, `tripod-client-${version}.tgz`);
}

async function buildPython(): Promise<string> {
  const folder = await copyOf('python', 'pyproject.toml', 'version = "0.0.0"', `version = "${version}"`);
  const tools = join(folder, '.venv');
  await run(folder, 'python3', '-m', 'venv', tools);
  const tool = (name: string) => join(tools, 'bin', name);
  await run(folder, tool('pip'), 'install', '--quiet', '--requirement', 'build-requirements.txt');
  const output = join('tripod_client', 'generated');
  const options = ['--path', 'openapi.json', '--config', 'generator.yaml', '--meta', 'none', '--output-path', output];
  await run(folder, tool('openapi-python-client'), 'generate', '--fail-on-warning', ...options);
  await run(folder, tool('pip'), 'wheel', '--quiet', '--no-deps', '--no-build-isolation', '--wheel-dir', target, '.');
  return join(target, `tripod_client-${version}-py3-none-any.whl`);
}

const builders = { typescript: buildTypescript, python: buildPython };

await mkdir(target, { recursive: true });
const wanted = process.argv[2];
for (const [name, build] of Object.entries(builders))
  if (wanted === undefined || wanted === name) console.log(relative(repository, await build()));
