import type { RunnerProcessOptions } from '../runner-process.ts';

/** Root's capabilities in Docker's containers, and on Fargate. */
const DOCKER_CAPABILITIES =
  '-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap';

/** Containers see their control groups, and may make none. */
export const DOCKER: RunnerProcessOptions = {
  prefix: ['setpriv', '--inh-caps=-all', `--bounding-set=${DOCKER_CAPABILITIES}`],
  environment: { RUNNER_LANDLOCK: '0', RUNNER_MEMORY_GROUPS: '0' },
};
