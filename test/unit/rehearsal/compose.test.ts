import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { baseOf } from '../../../bin/rehearse-images/bases.ts';
import { composeServices, type Place, runOptions } from '../../../bin/rehearse-images/compose.ts';

const compose = readFileSync('deploy/on-premises/compose.yaml', 'utf8');
const variables = { TRIPOD_DOMAIN: 'a.example', STORES_KEY_ID: 'id', STORES_SECRET: 'secret', RUNNER_TOKEN: 'token' };
const names = ['stores-secret', 'extenddb-certificate', 'postgres-password', 'tls-certificate', 'tls-key'];
const place: Place = {
  prefix: 'rehearsed',
  files: Object.fromEntries([...names, 'caddyfile', 'elasticmq'].map((name) => [name, `/files/${name}`])),
  hasInit: true,
  hasLimits: true,
};
const services = composeServices(compose, variables);

describe('a rehearsed container', () => {
  it.each(Object.entries(services))('%s is confined as compose.yaml says', (name, service) => {
    expect(runOptions(name, service, place).join(' ')).toMatch(
      /--read-only --read-only-tmpfs=false .*--cap-drop ALL .*--security-opt no-new-privileges/,
    );
  });

  it('has the capabilities, memory disks and limits of a runner', () => {
    const options = runOptions('runner-1', services['runner-1']!, place).join(' ');
    expect(options).toContain(
      '--cap-add CHOWN --cap-add DAC_OVERRIDE --cap-add KILL --cap-add SETGID --cap-add SETUID',
    );
    expect(options).toContain('--tmpfs /programs:exec,nosuid,nodev,size=1100m');
    expect(options).toContain('--restart always --cpus 2 --memory 4g --pids-limit 512');
    expect(options).toContain('--env RUNNER_TOKEN=token --env RUNNER_MAX_USES=1');
  });

  it('has volumes of its rehearsal, secrets as files, and given variables before defaults', () => {
    const options = runOptions('tripod', services.tripod!, place).join(' ');
    expect(options).toContain('--volume rehearsed-tripod-data:/data');
    expect(options).toContain('--volume /files/stores-secret:/run/secrets/stores-secret:ro');
    expect(options).toContain('--env PUBLIC_URL=https://a.example');
    expect(options).toContain('--env FREE_PAGES_PER_DAY=2000');
  });

  it('lets the user of the proxy write to its memory disks, which have no owner in podman', () => {
    expect(runOptions('caddy', services.caddy!, place).join(' ')).toContain('--tmpfs /data:mode=1777');
  });
});

it('a member of compose.yaml that the rehearsal does not know is an error', () => {
  const unknown = composeServices('services: { tripod: { image: a, privileged: true } }', {}).tripod!;
  expect(() => runOptions('tripod', unknown, place)).toThrow('tripod has the member privileged');
});

it('a variable of compose.yaml without a value is an error that says what it is', () => {
  expect(() => composeServices(compose, { ...variables, RUNNER_TOKEN: '' })).toThrow(
    'RUNNER_TOKEN is not given: a long random text',
  );
});

it('the base of each rehearsed image names its version and its release of Debian', () => {
  const dockerfile = (path: string) => readFileSync(path, 'utf8');
  for (const path of ['deploy/on-premises/Dockerfile', 'sandbox/Dockerfile'])
    expect(baseOf(dockerfile(path), 'NODE_IMAGE')).toMatchObject({ version: process.versions.node, suite: 'bookworm' });
  expect(() => baseOf('FROM debian', 'NODE_IMAGE')).toThrow('no ARG NODE_IMAGE');
});
