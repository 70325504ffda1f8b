import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { selfSigned } from '../../test/helpers/self-signed.ts';
import { type ComposeService, composeServices, runOptions } from './compose.ts';
import { CommandFailed, type Podman } from './podman.ts';

/** Every container, volume and image of a rehearsal starts so. */
export const PREFIX = 'tripod-rehearsal';
const DOMAIN = 'tripod.rehearsal.example';
export const ORIGIN = `https://${DOMAIN}`;
const COMPOSE = 'deploy/on-premises';
/** Owns the network that all containers share, and calls the service. */
const CLIENT = `${PREFIX}-client`;
/** The second runner, where the first one has the port of both. */
const SECOND_PORT = '8081';
const PATIENCE_MS = 120_000;

export interface Images {
  readonly service: string;
  readonly runner: string;
  readonly proxy: string;
}

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/**
 * The containers of compose.yaml on one network that has loopback addresses alone. The embedded stores of the service, in a container,
 * stand in for the images of its stores.
 */
export class Stack {
  readonly #podman: Podman;
  readonly #images: Images;
  readonly #folder: string;
  readonly #services: Readonly<Record<string, ComposeService>>;
  /** Of volumes: another one, other data. */
  #volumes = `${PREFIX}-first`;
  #stores: Readonly<Record<string, string>> = {};

  /** @param folder for secrets; the users of containers can read it */
  constructor(podman: Podman, images: Images, folder: string) {
    this.#podman = podman;
    this.#images = images;
    this.#folder = folder;
    this.#services = composeServices(readFileSync(join(COMPOSE, 'compose.yaml'), 'utf8'), {
      TRIPOD_DOMAIN: DOMAIN,
      STORES_KEY_ID: 'unused',
      STORES_SECRET: 'unused',
      RUNNER_TOKEN: randomBytes(32).toString('hex'),
    });
    const { key, cert } = selfSigned(DOMAIN);
    this.#write('tls-key', key);
    this.#write('tls-certificate', cert);
    this.#write('extenddb-certificate', cert);
  }

  /** Starts the network, the runners, the stores, the service and the proxy. */
  async start(): Promise<void> {
    const names = ['localhost', DOMAIN, ...Object.keys(this.#services)];
    this.#write('hosts', names.map((name) => `127.0.0.1 ${name}\n`).join(''));
    const certificate = [
      '--env',
      'NODE_EXTRA_CA_CERTS=/ca.pem',
      '--volume',
      `${this.#file('tls-certificate')}:/ca.pem:ro`,
    ];
    const network = ['--network=none', ...this.#hosts(), '--sysctl=net.ipv4.ip_unprivileged_port_start=0'];
    const forever = ['node', '-e', 'setInterval(() => undefined, 1e6)'];
    await this.#podman.run([
      ...['--detach', '--name', CLIENT, '--read-only', '--cap-drop=ALL', ...network, ...certificate],
      ...[this.#images.service, ...forever],
    ]);
    await this.#run('runner-1', this.#images.runner);
    await this.#run('runner-2', this.#images.runner, { RUNNER_PORT: SECOND_PORT });
    await this.startService();
    for (const runner of ['runner-1', 'runner-2']) await this.#untilHealthy(runner);
    this.#write('caddyfile', this.#caddyfile());
    await this.#run('caddy', this.#images.proxy);
    const answered = await until(async () =>
      (await this.call('GET', '/api/v1/health')).status === 200 ? true : undefined,
    );
    if (answered === undefined)
      throw new CommandFailed(`caddy does not answer:\n${(await this.logs('caddy')).slice(-2000)}`);
  }

  /** Starts the stores and the service on the present volumes. @param image a version of the service */
  async startService(image: string = this.#images.service): Promise<void> {
    await this.#startStores(image);
    const { AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_SQS, AWS_ACCESS_KEY_ID } = this.#stores;
    await this.#run('tripod', image, {
      AWS_ENDPOINT_URL_DYNAMODB,
      AWS_ENDPOINT_URL_S3,
      AWS_ENDPOINT_URL_SQS,
      STORES_KEY_ID: AWS_ACCESS_KEY_ID,
      RUNNER_URLS: `http://runner-1:8080 http://runner-2:${SECOND_PORT}`,
    });
    await this.#untilHealthy('tripod');
  }

  async stopService(): Promise<void> {
    for (const name of ['tripod', 'stores']) {
      await this.#podman.call(['stop', this.#container(name)]);
      await this.#podman.call(['rm', '--volumes', this.#container(name)]);
    }
  }

  /** Continues with other data. Volumes that do not exist yet are empty. */
  useVolumes(name: string): void {
    this.#volumes = `${PREFIX}-${name}`;
  }

  /** Runs tar over the volumes of the service and of its stores. @param how such as `-czf /b/data.tar.gz .` */
  async archive(folder: string, how: string): Promise<void> {
    const places = ['tripod-data', 'stores'].flatMap((volume) => [
      '--volume',
      `${this.#volumes}-${volume}:/o/${volume}`,
    ]);
    const tar = ['sh', '-c', `tar -C /o --xattrs ${how}`];
    await this.#podman.run([
      '--rm',
      '--network=none',
      '--user=0:0',
      ...places,
      '--volume',
      `${folder}:/b`,
      this.#images.service,
      ...tar,
    ]);
  }

  #container(name: string): string {
    return `${PREFIX}-${name}`;
  }

  /** A command in a container, by its name in compose.yaml. */
  exec(name: string, ...command: readonly string[]): Promise<string> {
    return this.#podman.exec(this.#container(name), ...command);
  }

  logs(name: string): Promise<string> {
    return this.#podman.call(['logs', this.#container(name)]);
  }

  /** A call through the proxy. */
  async call(method: string, path: string, key = '', body?: object): Promise<Answer> {
    const json = body === undefined ? '' : JSON.stringify(body);
    return JSON.parse(await this.fromOutside('bin/rehearse-images/call.ts', method, ORIGIN + path, key, json));
  }

  /** Runs a script of this version as a client. @returns what it printed */
  fromOutside(script: string, ...parameters: readonly string[]): Promise<string> {
    return this.#podman.exec(CLIENT, 'node', script, ...parameters);
  }

  async #run(
    name: string,
    image: string,
    environment: Readonly<Record<string, string | undefined>> = {},
  ): Promise<void> {
    const service = this.#services[name];
    if (service === undefined) throw new Error(`compose.yaml has no service ${name}.`);
    const { hasInit, hasLimits } = this.#podman.means;
    const files = Object.fromEntries(
      ['stores-secret', 'extenddb-certificate', 'tls-certificate', 'tls-key', 'caddyfile'].map((file) => [
        file,
        this.#file(file),
      ]),
    );
    const options = runOptions(name, service, { prefix: this.#volumes, files, hasInit, hasLimits });
    const own = Object.entries(environment).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]);
    const place = ['--detach', '--name', this.#container(name), '--network', `container:${CLIENT}`, ...this.#hosts()];
    await this.#podman.run([...place, ...options, ...own, image, ...(service.command ?? [])]);
  }

  async #startStores(image: string): Promise<void> {
    const name = this.#container('stores');
    const script = 'test/helpers/stores-main.ts';
    await this.#podman.run([
      ...[
        '--detach',
        '--name',
        name,
        '--network',
        `container:${CLIENT}`,
        '--read-only',
        '--cap-drop=ALL',
        '--tmpfs=/tmp',
      ],
      ...['--volume', `${this.#volumes}-stores:/data`, '--volume', `${join(process.cwd(), script)}:/app/${script}:ro`],
      ...[image, 'node', script, '/data'],
    ]);
    const line = await until(async () => (await this.logs('stores')).split('\n').find((each) => each.startsWith('{')));
    if (line === undefined) throw new CommandFailed(`The stores did not start: ${await this.logs('stores')}`);
    this.#stores = JSON.parse(line);
    this.#write('stores-secret', this.#stores.AWS_SECRET_ACCESS_KEY ?? '');
  }

  /** Asks the image's own check. */
  async #untilHealthy(name: string): Promise<void> {
    const check = ['healthcheck', 'run', this.#container(name)];
    const healthy = await until(async () => ((await this.#podman.try(check)).status === 0 ? true : undefined));
    if (healthy === undefined)
      throw new CommandFailed(`${name} is not healthy:\n${(await this.logs(name)).slice(-2000)}`);
  }

  /** The file of the deployment, with the port of the stand-in for objects. */
  #caddyfile(): string {
    const { host } = new URL(this.#stores.AWS_ENDPOINT_URL_S3 ?? '');
    return readFileSync(join(COMPOSE, 'Caddyfile'), 'utf8').replace('versitygw:7070', host);
  }

  /** Names of the containers: podman gives them to the owner of the network alone. */
  #hosts(): readonly string[] {
    return ['--no-hosts', '--volume', `${this.#file('hosts')}:/etc/hosts:ro`];
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }

  #write(name: string, text: string): void {
    writeFileSync(this.#file(name), text, { mode: 0o644 });
  }
}

async function until<T>(find: () => Promise<T | undefined>): Promise<T | undefined> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(1000)) {
    const found = await find().catch(() => undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
