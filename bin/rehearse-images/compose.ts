import { parse } from 'yaml';

export interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly init?: boolean;
  readonly cap_add?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly sysctls?: Readonly<Record<string, string>>;
  readonly restart?: string;
  readonly stop_grace_period?: string;
  readonly cpus?: number;
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly shm_size?: string;
}

/** The rehearsal's own means, in place of those of Compose. */
export interface Place {
  /** Prefix of the names of volumes. */
  readonly prefix: string;
  /** Files of secrets and configs by their names in the file. */
  readonly files: Readonly<Record<string, string>>;
  readonly hasInit: boolean;
  readonly hasLimits: boolean;
}

/** Members that the rehearsal replaces: by one network of loopback addresses, and by the order of its starts. */
const PLAYED = ['build', 'depends_on', 'healthcheck', 'image', 'logging', 'networks', 'ports', 'sysctls'];

/**
 * The services of a Compose file.
 * @param variables values of `${NAME}`
 * @throws Error that names a variable which is not given and has no default
 */
export function composeServices(
  text: string,
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, ComposeService>> {
  const filled = text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind = '', rest = '') => {
    const value = variables[name] ?? '';
    if (value === '' && kind !== '-') throw new Error(`${name} is not given: ${rest}`);
    return value === '' ? rest : value;
  });
  return (parse(filled, { merge: true }) as { services: Record<string, ComposeService> }).services;
}

/**
 * Podman's options for a service as its file has it.
 * @throws Error that names a member of the service which this does not translate
 */
export function runOptions(name: string, service: ComposeService, place: Place): readonly string[] {
  const translated: Readonly<Record<string, readonly string[]>> = {
    user: one('--user', service.user),
    environment: many('--env', pairs(service.environment)),
    read_only: service.read_only === true ? ['--read-only', '--read-only-tmpfs=false'] : [],
    init: service.init === true && place.hasInit ? ['--init'] : [],
    cap_drop: many('--cap-drop', service.cap_drop),
    cap_add: many('--cap-add', service.cap_add),
    security_opt: many('--security-opt', service.security_opt?.map(option)),
    tmpfs: many('--tmpfs', service.tmpfs?.map(ofEveryone)),
    volumes: many(
      '--volume',
      service.volumes?.map((volume) => `${place.prefix}-${volume}`),
    ),
    secrets: many(
      '--volume',
      service.secrets?.map((secret) => `${fileOf(place, secret)}:/run/secrets/${secret}:ro`),
    ),
    configs: many(
      '--volume',
      service.configs?.map(({ source, target }) => `${fileOf(place, source)}:${target}:ro`),
    ),
    restart: one('--restart', service.restart),
    stop_grace_period: one('--stop-timeout', service.stop_grace_period?.replace(/s$/, '')),
    cpus: place.hasLimits ? one('--cpus', service.cpus) : [],
    mem_limit: place.hasLimits ? one('--memory', service.mem_limit) : [],
    pids_limit: place.hasLimits ? one('--pids-limit', service.pids_limit) : [],
    shm_size: one('--shm-size', service.shm_size),
    // After the image.
    command: [],
  };
  for (const member of Object.keys(service))
    if (!(member in translated) && !PLAYED.includes(member))
      throw new Error(`${name} has the member ${member}, which the rehearsal does not translate.`);
  return Object.values(translated).flat();
}

function fileOf({ files }: Place, name: string): string {
  const file = files[name];
  if (file === undefined) throw new Error(`The rehearsal has no file for ${name}.`);
  return file;
}

/** Docker takes `no-new-privileges:true`, podman only the word. */
function option(text: string): string {
  return text.replace(/:true$/, '');
}

/** Podman's memory disks have no owner, so every user may write. */
function ofEveryone(disk: string): string {
  return disk.replace(/uid=\d+,gid=\d+/, 'mode=1777');
}

function pairs(values: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(values).map(([name, value]) => `${name}=${value ?? ''}`);
}

function one(flag: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [flag, String(value)];
}

function many(flag: string, values: readonly string[] = []): readonly string[] {
  return values.flatMap((value) => [flag, value]);
}
