import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface ImageRoot {
  /** The image's /app folder. */
  readonly app: string;
  /** Mounted by the task's definition; of memory. */
  readonly tmpMib: number;
  /** Where such memory is mounted; by default at /tmp alone. */
  readonly places?: readonly string[];
  /** Paths of this machine, read-only, at their places in the image. */
  readonly more?: Readonly<Record<string, string>>;
}

/**
 * Root, /app, size of the memory disks, their places, and pairs of a source and a place; then a word, and the command. The interpreters and libraries of
 * this machine stand in for the image's base.
 */
const SCRIPT = `set -e
root=$1 app=$2 size=$3 places=$4; shift 4
mount -t tmpfs -o mode=755 tmpfs "$root"
for part in usr etc bin sbin lib lib64; do
  if [ -L "/$part" ]; then cp -P "/$part" "$root/$part"
  elif [ -d "/$part" ]; then
    mkdir "$root/$part"
    mount --bind "/$part" "$root/$part"
    mount -o remount,bind,ro "$root/$part"
  fi
done
mkdir "$root/app" "$root/tmp" "$root/dev" "$root/proc"
mount --bind "$app" "$root/app"
while [ "$1" != -- ]; do
  mkdir -p "$root$2"
  mount --bind "$1" "$root$2"
  mount -o remount,bind,ro "$root$2"
  shift 2
done
shift
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
for place in $places; do
  mkdir -p "$root/$place"
  mount -t tmpfs -o "size=$size"m,nosuid,nodev,mode=1777 tmpfs "$root/$place"
done
mount -o remount,bind,ro "$root/app"
mount -o remount,ro "$root"
cd /
exec "$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)" "$root" "$@"`;

/** Node of this process, where an image has its own. */
const NODE_FOLDER = '/image-node';
export const IMAGE_PATH = `${NODE_FOLDER}:/usr/local/bin:/usr/bin:/bin`;

let roots: string | undefined;

/** Prefix of a command that runs it as in its container: in a separate root that is read-only except for its memory disks. */
export function inImageRoot({ app, tmpMib, places = ['tmp'], more = {} }: ImageRoot): readonly string[] {
  roots ??= mkdtempSync(join(tmpdir(), 'tripod-image-roots-'));
  const root = mkdtempSync(join(roots, 'root-'));
  // Mount points in a folder that is mounted itself.
  for (const place of Object.values(more))
    if (place.startsWith('/app/')) mkdirSync(join(app, place.slice(5)), { recursive: true });
  const pairs = Object.entries({ [dirname(process.execPath)]: NODE_FOLDER, ...more }).flat();
  return [
    'unshare',
    '--mount',
    '--propagation',
    'private',
    'sh',
    '-c',
    SCRIPT,
    'sh',
    root,
    app,
    String(tmpMib),
    places.join(' '),
    ...pairs,
    '--',
  ];
}

export function removeImageRoots(): void {
  if (roots !== undefined) rmSync(roots, { recursive: true, force: true });
  roots = undefined;
}

/** Why commands cannot be run so here; empty: they can. */
export function whyNoImageRoot(): string {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'A root for the image takes root on Linux.';
  const { status } = spawnSync('unshare', ['--mount', '--propagation', 'private', 'setpriv', '--version']);
  return status === 0 ? '' : 'A root for the image takes unshare, setpriv, and the right to mount.';
}

/** Places that a process could write to if its user might. */
export function writablePlaces(pid: number): string[] {
  return readFileSync(`/proc/${pid}/mountinfo`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , , , , options = '']) => options.split(',').includes('rw'))
    .map(([, , , , place = '']) => place);
}
