import { SHARED_DIRECTORIES } from './confinement.ts';
import { groupFacts } from './group-facts.ts';
import { MAX_FILES } from './held-resources.ts';
import type { Launch } from './launch-request.ts';
import type { MemoryGroup } from './memory-groups.ts';
import { threadsOfUser } from './process-usage.ts';
import { MAX_PROCESSES } from './resource-monitor.ts';

const MB = 1024 * 1024;
/** Directories of the system's programs and libraries. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/ld.so.cache', '/etc/alternatives'];
/** Public facts that libraries open where they exist: openpyxl, for one, fails if it may not read the types of files. */
const SYSTEM_FACTS = [
  '/etc/apache2/mime.types',
  '/etc/debian_version',
  '/etc/host.conf',
  '/etc/hosts',
  '/etc/httpd/conf/mime.types',
  '/etc/localtime',
  '/etc/magic',
  '/etc/mime.types',
  '/etc/os-release',
  '/etc/protocols',
  '/etc/services',
  '/etc/ssl/certs',
  '/etc/timezone',
  '/etc/passwd',
  '/etc/group',
  '/etc/nsswitch.conf',
  '/etc/ssl/openssl.cnf',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/stat',
  '/proc/version',
  '/proc/filesystems',
  '/proc/sys/vm/overcommit_memory',
  '/sys/kernel/mm/transparent_hugepage/hpage_pmd_size',
  '/sys/devices/system/cpu',
];

/** A run with a private file system sees other directories in their place. */
export function sharedDirectories({ confinement, directory }: Launch): readonly string[] {
  if (confinement.ownFiles) return SHARED_DIRECTORIES;
  return confinement.landlock || directory.uid === null ? [] : SHARED_DIRECTORIES;
}

/** The launcher's command line, in the order of sandbox/launcher/arguments.h. */
export function launcherArguments(launch: Launch, memoryGroup: MemoryGroup | null): string[] {
  const {
    confinement,
    directory,
    command,
    preparing = [],
    readable,
    resources,
    reservedMb,
    pipe = '-',
    collects = false,
  } = launch;
  const { cpu, memoryMb, diskMb } = resources;
  const { uid } = directory;
  // In a private user namespace the kernel counts only that namespace's threads.
  const others = uid === null && !confinement.ownFiles ? threadsOfUser(process.getuid?.() ?? 0) : 0;
  return [
    uid === null ? '-' : String(uid),
    String(cpu),
    String(memoryMb * MB),
    String((memoryMb + reservedMb) * MB),
    String(diskMb * MB),
    String(MAX_PROCESSES * 4 + others),
    String(MAX_FILES),
    confinement.landlock ? '1' : '0',
    confinement.ownFiles ? '1' : '0',
    collects ? '1' : '0',
    pipe,
    memoryGroup?.membersFile ?? '-',
    directory.path,
    ...SYSTEM,
    ...SYSTEM_FACTS,
    ...groupFacts(memoryGroup),
    ...readable,
    '--',
    ...sharedDirectories(launch),
    '--',
    ...preparing.flatMap((each) => [...each, '--then']),
    ...command,
  ];
}
