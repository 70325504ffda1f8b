import { readFileSync } from 'node:fs';

/** Advance widths of one face of a TrueType or OpenType file: all that laying out text in columns needs. */
export class FontFile {
  readonly #data: DataView;
  readonly #tables = new Map<string, number>();
  readonly #unitsPerEm: number;
  readonly #advanceCount: number;
  readonly #glyphs = new Map<number, number>();

  /** @param face number of the face in a collection (.ttc), 0 otherwise. */
  constructor(file: string, face: number) {
    const bytes = readFileSync(file);
    this.#data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const start = this.#tag(0) === 'ttcf' ? this.#data.getUint32(12 + 4 * face) : 0;
    const tableCount = this.#data.getUint16(start + 4);
    for (let i = 0; i < tableCount; i++) {
      const record = start + 12 + 16 * i;
      this.#tables.set(this.#tag(record), this.#data.getUint32(record + 8));
    }
    this.#unitsPerEm = this.#data.getUint16(this.#table('head') + 18);
    this.#advanceCount = this.#data.getUint16(this.#table('hhea') + 34);
  }

  /** Width of a text in em, without kerning. */
  widthEm(text: string): number {
    let units = 0;
    for (const char of text) units += this.#advance(this.#glyph(char.codePointAt(0)!));
    return units / this.#unitsPerEm;
  }

  has(char: string): boolean {
    return this.#glyph(char.codePointAt(0)!) !== 0;
  }

  #advance(glyph: number): number {
    return this.#data.getUint16(this.#table('hmtx') + 4 * Math.min(glyph, this.#advanceCount - 1));
  }

  #glyph(codePoint: number): number {
    let glyph = this.#glyphs.get(codePoint);
    if (glyph === undefined) {
      glyph = this.#lookUp(codePoint);
      this.#glyphs.set(codePoint, glyph);
    }
    return glyph;
  }

  /** Format 4 of the character map: every face has one, and the basic plane is all we print. */
  #lookUp(codePoint: number): number {
    const data = this.#data;
    const map = this.#segmentMap();
    const segments = data.getUint16(map + 6) / 2;
    for (let i = 0; i < segments; i++) {
      if (data.getUint16(map + 14 + 2 * i) < codePoint) continue;
      const first = data.getUint16(map + 16 + 2 * (segments + i));
      if (first > codePoint) return 0;
      const delta = data.getUint16(map + 16 + 2 * (2 * segments + i));
      const offsetAt = map + 16 + 2 * (3 * segments + i);
      const offset = data.getUint16(offsetAt);
      if (offset === 0) return (codePoint + delta) & 0xffff;
      const glyph = data.getUint16(offsetAt + offset + 2 * (codePoint - first));
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  }

  #segmentMap(): number {
    const cmap = this.#table('cmap');
    const count = this.#data.getUint16(cmap + 2);
    for (let i = 0; i < count; i++) {
      const record = cmap + 4 + 8 * i;
      const map = cmap + this.#data.getUint32(record + 4);
      const platform = this.#data.getUint16(record);
      if ((platform === 3 || platform === 0) && this.#data.getUint16(map) === 4) return map;
    }
    throw new Error('The font has no character map of format 4.');
  }

  #table(tag: string): number {
    const offset = this.#tables.get(tag);
    if (offset === undefined) throw new Error(`The font has no table ${tag}.`);
    return offset;
  }

  #tag(offset: number): string {
    return String.fromCharCode(...[0, 1, 2, 3].map((i) => this.#data.getUint8(offset + i)));
  }
}
