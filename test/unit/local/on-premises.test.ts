import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../../functions/shared/environment.ts';
import { buckets } from '../../../functions/shared/resources.ts';
import { readConfig } from '../../../lib/config.ts';
import { NAME_PREFIX } from '../../../local/resource-names.ts';
import { readSettings } from '../../../local/settings.ts';

const FOLDER = 'deploy/on-premises';
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
const dockerfile = read('Dockerfile');

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_add?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks?: readonly string[];
  readonly secrets?: readonly string[];
}

const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
};
const services = Object.entries(compose.services);

describe('compose.yaml on premises', () => {
  it.each(services)('confines %s: pinned image, no capabilities, a read-only root', (name, service) => {
    const isOurs = /^(tripod|runner-\d)$/.test(name);
    // Our own images are built from Dockerfiles, under the version of the release.
    expect(service.image).toMatch(
      isOurs ? /^tripod(-runner)?:\$\{TRIPOD_VERSION:-\d/ : /^[\w./-]+:v?\d+\.\d+(\.\d+)?(-\w+)?$/,
    );
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    // The user of our own image is in its Dockerfile. Only runners are root: they start programs as other users.
    if (!isOurs) expect(service.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(service.cap_add ?? []).toEqual(
      name.startsWith('runner-') ? ['CHOWN', 'DAC_OVERRIDE', 'KILL', 'SETGID', 'SETUID'] : [],
    );
  });

  it.each(services)('lets %s write to named volumes alone, never to a path of the host', (_, { volumes = [] }) => {
    for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
  });

  it('limits free work as on AWS, unless the operator says otherwise', () => {
    const config = readConfig(() => undefined);
    const byDefault = Object.fromEntries(
      Object.entries(compose.services.tripod!.environment!).flatMap(([name, value]) => {
        const [, preset] = new RegExp(`^\\$\\{${name}:-(\\d+)\\}$`).exec(value) ?? [];
        return preset === undefined ? [] : [[name, Number(preset)]];
      }),
    );
    expect(byDefault).toMatchObject({
      UPLOADS_NEED_LENGTH: 1,
      FREE_PAGES_PER_DAY: config.freePagesPerDay,
      FREE_PAGES_PER_ADDRESS: config.freePagesPerDayAndAddress,
      FREE_PAGES_IN_ALL: config.freePagesPerDayInAll,
      REGISTRATIONS_PER_ADDRESS: config.registrationsPerDayAndAddress,
      REGISTRATIONS_IN_ALL: config.registrationsPerDayInAll,
    });
  });

  it('opens the port of the reverse proxy alone, and lets stores reach no other network', () => {
    expect(services.filter(([, { ports }]) => ports !== undefined).map(([name]) => name)).toEqual(['caddy']);
    const reachable = services.filter(([, { networks }]) => networks?.includes('front')).map(([name]) => name);
    expect(reachable).toEqual(['caddy']);
    expect([compose.networks.back?.internal, compose.networks.runners?.internal]).toEqual([true, true]);
    for (const [name, { networks }] of services) if (name.startsWith('runner-')) expect(networks).toEqual(['runners']);
  });

  it('gives the service settings that exist, and all that external stores need', () => {
    const { environment = {} } = compose.services.tripod!;
    const ofStart = [
      ...['PUBLIC_URL', 'STORES', 'STORES_KEY_ID', 'STORES_SECRET_FILE', 'NODE_EXTRA_CA_CERTS'],
      ...['AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL_SQS'],
    ];
    const known = new Set([...Object.keys(settings), ...ofStart]);
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    const filled = Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, value.replaceAll(/\$\{\w+[^}]*\}/g, 'tripod.example')]),
    );
    expect(readSettings({ ...filled, STORES_SECRET_FILE: 'package.json' })).toMatchObject({
      publicUrl: 'https://tripod.example',
      stores: { dynamodb: 'https://extenddb:18443', s3: 'http://versitygw:7070', sqs: 'http://elasticmq:9324' },
    });
  });

  it('declares every secret that it mounts, and names its proxy’s servers as they are named', () => {
    for (const [, { secrets = [] }] of services)
      for (const secret of secrets) expect(Object.keys(compose.secrets)).toContain(secret);
    const upstreams = [...read('Caddyfile').matchAll(/reverse_proxy (\w+):(\d+)/g)].map(([, host]) => host!);
    for (const host of upstreams) expect(Object.keys(compose.services)).toContain(host);
  });

  it('leads presigned addresses of each bucket that clients use to the store', () => {
    const [, paths = ''] = /@objects path (.*)/.exec(read('Caddyfile')) ?? [];
    const ids = paths.split(' ').map((path) => path.slice(`/${NAME_PREFIX}-`.length, -'/*'.length));
    expect(ids).toEqual(expect.arrayContaining(['uploads', 'executions', 'exports']));
    for (const id of ids) expect(Object.keys(buckets)).toContain(id);
  });
});

it('names each runner of the compose file in RUNNER_URLS', () => {
  const { RUNNER_URLS = '' } = compose.services.tripod!.environment ?? {};
  const runners = services.map(([name]) => name).filter((name) => name.startsWith('runner-'));
  expect(RUNNER_URLS.split(' ')).toEqual(runners.map((name) => `http://${name}:8080`));
});

describe('the image of the service', () => {
  it('is built from pinned Node images in stages, without Python, and runs as no root', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(bases.length).toBeGreaterThan(2);
    expect(new Set(bases)).toEqual(new Set(['$' + '{NODE_IMAGE}']));
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=\S+:24\.\d+\.\d+-\w+/m);
    expect(dockerfile).not.toMatch(/python|apt-get/);
    expect(dockerfile.split('\nFROM ').at(-1)).toMatch(/\nUSER node\n/);
    expect(dockerfile).toMatch(/\nHEALTHCHECK /);
  });

  it('contains only paths that exist', () => {
    const kept = read('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(kept).toEqual(expect.arrayContaining(['bin', 'functions', 'gateway', 'local', 'layers']));
    for (const path of kept) expect({ path, exists: existsSync(path) }).toEqual({ path, exists: true });
  });
});
