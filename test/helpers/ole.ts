const SECTOR = 512;
const MINI = 64;
const MINI_LIMIT = 4096;
const END = 0xfffffffe;
const FREE = 0xffffffff;
const FAT = 0xfffffffd;

/** An OLE2 container with these streams by their paths, of folders in one level. Small streams are in the mini stream, as programs write them. */
export function ole(streams: Readonly<Record<string, Uint8Array>>): Buffer {
  const sectors: Buffer[] = [];
  const fat: number[] = [];
  const store = (bytes: Uint8Array): number => (bytes.length === 0 ? END : chained(bytes, SECTOR, sectors, fat));
  const mini: Buffer[] = [];
  const miniFat: number[] = [];
  const storeMini = (bytes: Uint8Array): number => chained(bytes, MINI, mini, miniFat);
  const entries: { name: string; kind: number; start: number; size: number; right: number; child: number }[] = [
    { name: 'Root Entry', kind: 5, start: END, size: 0, right: FREE, child: FREE },
  ];
  const lastOf = new Map<string, number>();
  const add = (folder: string, name: string, kind: number, bytes: Uint8Array) => {
    const start = kind === 1 ? END : bytes.length < MINI_LIMIT ? storeMini(bytes) : store(bytes);
    const index = entries.push({ name, kind, start, size: bytes.length, right: FREE, child: FREE }) - 1;
    const last = lastOf.get(folder);
    const parent = folder === '' ? 0 : entries.findIndex((entry) => entry.kind === 1 && entry.name === folder);
    if (last === undefined) entries[parent]!.child = index;
    else entries[last]!.right = index;
    lastOf.set(folder, index);
  };
  for (const [path, bytes] of Object.entries(streams)) {
    const [folder, name] = path.includes('/') ? path.split('/') : ['', path];
    if (folder !== '' && !lastOf.has(folder!)) add('', folder!, 1, new Uint8Array());
    add(folder!, name!, 2, bytes);
  }
  entries[0]!.size = mini.length * MINI;
  entries[0]!.start = store(Buffer.concat(mini));
  const directory = Buffer.alloc(Math.ceil(entries.length / 4) * SECTOR);
  entries.forEach(({ name, kind, start, size, right, child }, index) => {
    const entry = directory.subarray(index * 128);
    entry.write(name, 'utf16le');
    entry.writeUInt16LE(2 * name.length + 2, 64);
    entry[66] = kind;
    for (const [place, value] of [FREE, right, child].entries()) entry.writeUInt32LE(value, 68 + 4 * place);
    entry.writeUInt32LE(start, 116);
    entry.writeUInt32LE(size, 120);
  });
  const directoryStart = store(directory);
  const miniFatStart = store(numbers(miniFat));
  const fatStart = sectors.length;
  const fatSectors = Math.ceil((fat.length + 1) / (SECTOR / 4 - 1));
  fat.push(...Array.from({ length: fatSectors }, () => FAT));
  const table = Buffer.alloc(fatSectors * SECTOR, 0xff);
  table.set(numbers(fat));
  const header = Buffer.alloc(SECTOR, 0);
  header.write('d0cf11e0a1b11ae1', 'hex');
  for (const [place, value] of [0x3e, 3, 0xfffe, 9, 6].entries()) header.writeUInt16LE(value, 24 + 2 * place);
  header.writeUInt32LE(fatSectors, 44);
  header.writeUInt32LE(directoryStart, 48);
  header.writeUInt32LE(MINI_LIMIT, 56);
  header.writeUInt32LE(miniFatStart, 60);
  header.writeUInt32LE(END, 68);
  header.fill(0xff, 76);
  for (let index = 0; index < fatSectors; index++) header.writeUInt32LE(fatStart + index, 76 + 4 * index);
  return Buffer.concat([header, ...sectors, table]);
}

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => {
    bytes.writeUInt32LE(value, 4 * index);
  });
  return bytes;
}

/** Appends sectors of a size, and to the table which one follows each. @returns the first one's number. */
function chained(bytes: Uint8Array, size: number, sectors: Buffer[], table: number[]): number {
  const first = sectors.length;
  for (let at = 0; at < bytes.length; at += size) {
    const sector = Buffer.alloc(size);
    sector.set(bytes.subarray(at, at + size));
    sectors.push(sector);
    table.push(at + size < bytes.length ? sectors.length : END);
  }
  return first;
}
