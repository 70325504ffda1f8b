/** Builds the images of the on-premises service and rehearses them in containers: see USAGE. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lastRelease, unpackPreviousVersion } from '../test/helpers/previous-version.ts';
import { runCommand } from './command-line.ts';
import { baseOf, makeGoBase, makeNodeBase } from './rehearse-images/bases.ts';
import { findMeans, findPodman, finish, type Podman } from './rehearse-images/podman.ts';
import { smoke } from './rehearse-images/smoke.ts';
import { type Images, PREFIX, Stack } from './rehearse-images/stack.ts';

const USAGE = `Usage: npm run rehearse:images [-- --keep]

Builds both images of deploy/on-premises/compose.yaml with podman, starts the containers as that file says, and rehearses: health, first workspace,
extraction, chat, programs, console, backup, restore, upgrade. Their bases are made from packages of Debian and npm, without a registry of
images. Needs podman, debootstrap and Go, as root; without podman or debootstrap it only says so.

  --keep  leaves the images in place, and takes those of an earlier run`;

const SERVICE = 'deploy/on-premises/Dockerfile';
const RUNNER = 'sandbox/Dockerfile';
const image = (name: string) => `localhost/${PREFIX}-${name}:latest`;
const NODE = image('node');
const GO = image('go');
const PREVIOUS = image('previous');
const IMAGES: Images = { service: image('service'), runner: image('runner'), proxy: image('proxy') };

/** Debian's Caddy stands in for the image of the same program. */
const PROXY = `FROM ${NODE}
RUN apt-get update && apt-get install -y --no-install-recommends caddy
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
`;

/** The files of the previous version on the packages of this one. */
const PREVIOUS_FILE = `FROM ${IMAGES.service}
USER root
RUN find . -mindepth 1 -maxdepth 1 ! -name node_modules -exec rm -rf {} +
COPY . .
USER node
`;

await runCommand(USAGE, run);

async function run(): Promise<void> {
  const { keep = false } = parseArgs({ options: { keep: { type: 'boolean' } } }).values;
  const podman = await findPodman();
  if (podman === null || (await finish('debootstrap', ['--version'])).status !== 0)
    return console.log(
      'The images were not rehearsed: that takes podman and debootstrap. apt-get install podman debootstrap',
    );
  const started = Date.now();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}-`));
  try {
    await removeContainers(podman);
    const found = await build(podman, folder, keep);
    await rehearse(found, folder);
    console.log(`Both images were built and rehearsed in ${seconds(started)} s.`);
  } finally {
    await removeContainers(podman);
    if (!keep) await podman.try(['rmi', '--force', ...Object.values(IMAGES), PREVIOUS, image('probe'), NODE, GO]);
    rmSync(folder, { recursive: true });
  }
}

/** @returns podman with the options that work here. */
async function build(podman: Podman, folder: string, keep: boolean): Promise<Podman> {
  const make = async (name: string, how: () => Promise<unknown>) => {
    if (keep && (await podman.try(['image', 'exists', name])).status === 0) return;
    await timed(`image ${name}`, how);
  };
  mkdirSync(join(folder, 'empty'));
  const base = baseOf(readFileSync(SERVICE, 'utf8'), 'NODE_IMAGE');
  await make(NODE, () => makeNodeBase(podman, NODE, base, folder));
  await make(GO, () => makeGoBase(podman, GO));
  const found = await findMeans(podman, NODE, image('probe'));
  console.log(
    `podman with ${
      Object.values(found.means)
        .flat()
        .filter((word) => typeof word === 'string')
        .join(' ') || 'no options'
    }`,
  );
  const bases = ['--build-arg', `NODE_IMAGE=${NODE}`, '--build-arg', `GO_IMAGE=${GO}`, '--build-arg', 'DEBIAN_DAY='];
  const from = (file: string) => ['--ignorefile', `${file}.dockerignore`, '--file', file];
  await make(IMAGES.service, () => found.build([...bases.slice(0, 2), ...from(SERVICE), '--tag', IMAGES.service, '.']));
  await make(IMAGES.runner, () => found.build([...bases, ...from(RUNNER), '--tag', IMAGES.runner, '.']));
  await make(IMAGES.proxy, () => fromText(found, IMAGES.proxy, PROXY, join(folder, 'empty')));
  await make(PREVIOUS, () => previousVersion(found, join(folder, 'previous')));
  return found;
}

async function previousVersion(podman: Podman, folder: string): Promise<void> {
  const commit = lastRelease();
  if (commit === null)
    return console.log('The upgrade is not rehearsed: this clone has no release. git fetch --unshallow');
  const reason = unpackPreviousVersion(folder, commit);
  if (reason !== '') throw new Error(reason);
  rmSync(join(folder, 'node_modules'));
  await fromText(podman, PREVIOUS, PREVIOUS_FILE, folder, ['--ignorefile', `${SERVICE}.dockerignore`]);
}

async function fromText(
  podman: Podman,
  name: string,
  text: string,
  folder: string,
  options: readonly string[] = [],
): Promise<void> {
  const file = join(mkdtempSync(`${folder}-file-`), 'Dockerfile');
  writeFileSync(file, text);
  await podman.build([...options, '--file', file, '--tag', name, folder]);
}

async function rehearse(podman: Podman, folder: string): Promise<void> {
  const secrets = join(folder, 'secrets');
  const backup = join(folder, 'backup');
  for (const each of [secrets, backup]) mkdirSync(each, { mode: 0o755 });
  await finish('chmod', ['755', folder]);
  const stack = new Stack(podman, IMAGES, secrets);
  await timed('containers start, and are healthy', () => stack.start());
  const hasPrevious = (await podman.try(['image', 'exists', PREVIOUS])).status === 0;
  for (const step of smoke(backup, hasPrevious ? PREVIOUS : undefined)) await timed(step.name, () => step.run(stack));
}

async function timed(name: string, how: () => Promise<unknown>): Promise<void> {
  const started = Date.now();
  const seen = await how().catch((error: unknown) => {
    console.log(`  FAILED  ${seconds(started)} s  ${name}`);
    throw error;
  });
  const words = typeof seen === 'string' ? `: ${seen}` : '';
  console.log(`  ok  ${seconds(started).padStart(5)} s  ${name}${words}`);
}

/** Of this rehearsal, and of one that was interrupted. */
async function removeContainers(podman: Podman): Promise<void> {
  // A container that podman is starting again at this moment remains.
  for (let round = 0; round < 3; round++) {
    const containers = await namesOf(podman, ['ps', '--all', '--format', '{{.Names}}']);
    // The owner of the network last.
    for (const name of containers.toSorted((a, b) => Number(a.endsWith('-client')) - Number(b.endsWith('-client'))))
      await podman.try(['rm', '--force', '--volumes', '--time', '0', name]);
  }
  for (const volume of await namesOf(podman, ['volume', 'ls', '--quiet']))
    await podman.try(['volume', 'rm', '--force', volume]);
}

/** The names that a listing prints, those of rehearsals alone. */
async function namesOf(podman: Podman, listing: readonly string[]): Promise<readonly string[]> {
  const { text } = await podman.try(listing);
  return text.split('\n').filter((name) => name.startsWith(`${PREFIX}-`));
}

function seconds(since: number): string {
  return ((Date.now() - since) / 1000).toFixed(0);
}
