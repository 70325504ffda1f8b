/** Sectors that hold no data: free, the end of a chain, or a part of the tables themselves. */
const LAST_SECTOR = 0xfffffffa;
const MARK = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const HEADER_BYTES = 512;
const HEADER_FAT_SECTORS = 109;
const ENTRY_BYTES = 128;
const NO_ENTRY = 0xffffffff;
const MAX_ENTRIES = 100_000;

export interface OleFile {
  /** The bytes of a stream by its path, such as `BodyText/Section0`; null without one. @throws Error when it is damaged */
  stream(path: string): Uint8Array | null;
}

export function isOle(bytes: Uint8Array): boolean {
  return MARK.every((byte, index) => bytes[index] === byte);
}

interface Entry {
  readonly name: string;
  readonly kind: 'storage' | 'stream' | 'root' | null;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

/**
 * An OLE2 container, which holds files as a file system does: the format of .doc, .hwp and of protected files of Office. Streams are read when
 * they are asked for. Chains of sectors that meet themselves, or that lead out of the file, are errors: nothing grows beyond the size of the file.
 * @throws Error when the file is damaged
 */
export function openOle(bytes: Uint8Array): OleFile {
  if (!isOle(bytes) || bytes.length < HEADER_BYTES) throw new Error('The file is not an OLE container.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [sectorBytes, miniBytes] = [2 ** view.getUint16(30, true), 2 ** view.getUint16(32, true)];
  if (![512, 4096].includes(sectorBytes) || miniBytes !== 64) throw new Error('The sizes of its sectors are unknown.');

  /** The last sector of a file that is cut short ends with the file. */
  const sector = (index: number) => {
    const start = (index + 1) * sectorBytes;
    if (start >= bytes.length) throw new Error('A sector is not in the file.');
    return bytes.subarray(start, start + sectorBytes);
  };
  const fat = chained(numbersOf(fatSectors(view, sector, sectorBytes).map(sector)), sector);
  const entries = entriesOf(fat(view.getUint32(48, true)));
  const [root] = entries;
  if (root?.kind !== 'root') throw new Error('The container has no root.');
  const miniLimit = view.getUint32(56, true);
  const mini = (): ((start: number) => Uint8Array) => {
    const area = fat(root.start);
    return chained(numbersOf([fat(view.getUint32(60, true))]), (index) => {
      if (index * miniBytes >= area.length) throw new Error('A sector is not in the file.');
      return area.subarray(index * miniBytes, (index + 1) * miniBytes);
    });
  };
  let miniChain: ((start: number) => Uint8Array) | null = null;
  const paths = pathsOf(entries);
  return {
    stream(path) {
      const entry = paths.get(path);
      if (entry?.kind !== 'stream') return null;
      if (entry.size === 0) return new Uint8Array();
      if (entry.size < miniLimit) miniChain ??= mini();
      const content = (entry.size < miniLimit ? miniChain! : fat)(entry.start);
      if (content.length < entry.size) throw new Error(`The stream ${path} is cut short.`);
      return content.subarray(0, entry.size);
    },
  };
}

/** Places of the sectors of the allocation table: the first in the header, the others in a chain. */
function fatSectors(view: DataView, sector: (index: number) => Uint8Array, sectorBytes: number): number[] {
  const found: number[] = [];
  const add = (place: number) => {
    if (place < LAST_SECTOR) found.push(place);
  };
  for (let i = 0; i < HEADER_FAT_SECTORS; i++) add(view.getUint32(76 + 4 * i, true));
  let next = view.getUint32(68, true);
  for (const seen = new Set<number>(); next < LAST_SECTOR; ) {
    if (seen.has(next)) throw new Error('A chain of sectors meets itself.');
    seen.add(next);
    const places = numbersOf([sector(next)]);
    for (const place of places.subarray(0, sectorBytes / 4 - 1)) add(place);
    next = places[sectorBytes / 4 - 1] ?? NO_ENTRY;
  }
  return found;
}

function numbersOf(parts: readonly Uint8Array[]): Uint32Array {
  const all = Buffer.concat(parts);
  return Uint32Array.from({ length: Math.floor(all.length / 4) }, (_, index) => all.readUInt32LE(4 * index));
}

/** Reads chains of sectors: a table says of each sector which one follows it. */
function chained(table: Uint32Array, sector: (index: number) => Uint8Array): (start: number) => Uint8Array {
  return (start) => {
    const parts: Uint8Array[] = [];
    for (let at = start; at < LAST_SECTOR; at = table[at] ?? NO_ENTRY) {
      if (parts.length > table.length) throw new Error('A chain of sectors meets itself.');
      parts.push(sector(at));
    }
    return Buffer.concat(parts);
  };
}

const KINDS = [null, 'storage', 'stream', null, null, 'root'] as const;

function entriesOf(directory: Uint8Array): Entry[] {
  const all = Buffer.from(directory.buffer, directory.byteOffset, directory.byteLength);
  const count = Math.floor(all.length / ENTRY_BYTES);
  if (count > MAX_ENTRIES) throw new Error('The container has too many entries.');
  return Array.from({ length: count }, (_, index) => {
    const entry = all.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    const nameBytes = Math.max(0, Math.min(64, entry.readUInt16LE(64)) - 2);
    return {
      name: entry.toString('utf16le', 0, nameBytes),
      kind: KINDS[entry[66]!] ?? null,
      left: entry.readUInt32LE(68),
      right: entry.readUInt32LE(72),
      child: entry.readUInt32LE(76),
      start: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    };
  });
}

/** Entries by their paths. Each is visited once, though the trees of a malicious file can share them. */
function pathsOf(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  const paths = new Map<string, Entry>();
  const seen = new Set<number>();
  const open: { readonly at: number; readonly folder: string }[] = [{ at: entries[0]!.child, folder: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, folder } = next;
    const entry = entries[at];
    if (entry === undefined || seen.has(at)) continue;
    seen.add(at);
    const path = `${folder}${entry.name}`;
    paths.set(path, entry);
    open.push({ at: entry.left, folder }, { at: entry.right, folder });
    // A path grows with each folder in a folder.
    if (path.length < 1_000) open.push({ at: entry.child, folder: `${path}/` });
  }
  return paths;
}
