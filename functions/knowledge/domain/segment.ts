import type { Passage } from './passages.ts';
import { eachTerm, type Term } from './terms.ts';

/** A document with its passages, as it goes into a segment. */
export interface SegmentDocument {
  readonly documentId: string;
  readonly title: string;
  readonly passages: readonly Passage[];
}

/** Vectors of all passages of a segment, one behind the other, each of length 1. */
export interface Vectors {
  /** Of the model that made them: vectors of another one are not comparable. */
  readonly model: string;
  readonly dimensions: number;
  readonly values: Float32Array;
}

interface Head {
  readonly documents: readonly { readonly documentId: string; readonly title: string; readonly passages: number }[];
  readonly headings: readonly (readonly string[])[];
  readonly vectors: { readonly model: string; readonly dimensions: number } | null;
}

/** Changes with the format and with the terms: a segment of another version is made again from its texts. */
const VERSION = 1;
const MAGIC = 0x31534b54;
const PREFIX_BYTES = 6 * 4;

/**
 * A part of a base's index: passages with the postings of their terms, in one array of bytes that is searched as it is.
 * It never changes; a base has several of them.
 */
export class Segment {
  readonly #head: Head;
  /** Ordinal of the document of each passage. */
  readonly #documents: Uint16Array;
  readonly #headings: Uint32Array;
  readonly #pages: Uint32Array;
  readonly #lengths: Uint32Array;
  readonly #textOffsets: Uint32Array;
  readonly #terms: Uint32Array;
  readonly #postingOffsets: Uint32Array;
  readonly #postings: Uint8Array;
  readonly #text: Uint8Array;
  readonly vectors: Vectors | null;
  readonly bytes: Uint8Array;
  /** Terms of all passages together. */
  readonly termCount: number;

  /** @throws when the bytes are not a segment of this version. */
  constructor(bytes: Uint8Array) {
    const reader = new Reader(bytes);
    const [magic = 0, version = 0, headBytes = 0, passages = 0, terms = 0, postingBytes = 0] = reader.words(6);
    if (magic !== MAGIC || version !== VERSION) throw new Error('These bytes are not a segment of an index.');
    this.#head = JSON.parse(new TextDecoder().decode(reader.bytes(headBytes))) as Head;
    this.#headings = reader.words(passages);
    this.#pages = reader.words(passages);
    this.#lengths = reader.words(passages);
    this.#textOffsets = reader.words(passages + 1);
    this.#terms = reader.words(terms);
    this.#postingOffsets = reader.words(terms + 1);
    this.#postings = reader.bytes(postingBytes);
    this.#text = reader.bytes(this.#textOffsets[passages]!);
    const { vectors } = this.#head;
    this.vectors = vectors && { ...vectors, values: reader.floats(passages * vectors.dimensions) };
    this.bytes = bytes;
    this.#documents = new Uint16Array(passages);
    let next = 0;
    for (const [ordinal, document] of this.#head.documents.entries()) {
      this.#documents.fill(ordinal, next, next + document.passages);
      next += document.passages;
    }
    this.termCount = this.#lengths.reduce((sum, length) => sum + length, 0);
  }

  get passageCount(): number {
    return this.#lengths.length;
  }

  get documents(): Head['documents'] {
    return this.#head.documents;
  }

  documentOf(passage: number): { readonly documentId: string; readonly title: string } {
    return this.#head.documents[this.#documents[passage]!]!;
  }

  /** Terms of a passage. */
  lengthOf(passage: number): number {
    return this.#lengths[passage]!;
  }

  passage(index: number): Passage {
    const [from, to] = [this.#textOffsets[index]!, this.#textOffsets[index + 1]!];
    const page = this.#pages[index]!;
    return {
      text: new TextDecoder().decode(this.#text.subarray(from, to)),
      heading: this.#head.headings[this.#headings[index]!] ?? [],
      page: page === 0 ? null : page,
    };
  }

  /** Passages that hold the term. */
  passagesWith(term: Term): number {
    const place = this.#find(term);
    if (place < 0) return 0;
    let count = 0;
    // Every posting is two numbers; the last byte of a number is below 128.
    for (let at = this.#postingOffsets[place]!; at < this.#postingOffsets[place + 1]!; at++)
      if (this.#postings[at]! < 0x80) count += 1;
    return count / 2;
  }

  /** Calls `visit` with every passage that holds the term, and how often it does. */
  eachPosting(term: Term, visit: (passage: number, count: number) => void): void {
    const place = this.#find(term);
    if (place < 0) return;
    const postings = this.#postings;
    const end = this.#postingOffsets[place + 1]!;
    let at = this.#postingOffsets[place]!;
    let passage = -1;
    while (at < end) {
      let step = 0;
      let shift = 0;
      let byte: number;
      do {
        byte = postings[at++]!;
        step |= (byte & 0x7f) << shift;
        shift += 7;
      } while (byte >= 0x80);
      let count = 0;
      shift = 0;
      do {
        byte = postings[at++]!;
        count |= (byte & 0x7f) << shift;
        shift += 7;
      } while (byte >= 0x80);
      passage += step;
      visit(passage, count);
    }
  }

  /** Its documents, each with the index of its first passage and the number of them. */
  *spans(): Generator<Head['documents'][number] & { readonly firstPassage: number }> {
    let firstPassage = 0;
    for (const document of this.#head.documents) {
      yield { ...document, firstPassage };
      firstPassage += document.passages;
    }
  }

  /** Its documents with their passages, to make other segments of. */
  *contents(): Generator<SegmentDocument & { readonly firstPassage: number }> {
    for (const { documentId, title, passages, firstPassage } of this.spans()) {
      const own = Array.from({ length: passages }, (_, i) => this.passage(firstPassage + i));
      yield { documentId, title, passages: own, firstPassage };
    }
  }

  #find(term: Term): number {
    const terms = this.#terms;
    let low = 0;
    let high = terms.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const value = terms[middle]!;
      if (value === term) return middle;
      if (value < term) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

/** The bytes of a segment with these documents. @param vectors of their passages, in the same order. */
export function encodeSegment(documents: readonly SegmentDocument[], vectors: Vectors | null = null): Uint8Array {
  const passages = documents.flatMap(({ title, passages: own }) => own.map((passage) => ({ ...passage, title })));
  const headings: (readonly string[])[] = [];
  const headingNumbers = new Map<string, number>();
  const postings = new Map<Term, Posting>();
  const lengths = new Uint32Array(passages.length);
  const texts: Uint8Array[] = [];
  const textOffsets = new Uint32Array(passages.length + 1);
  const headingOf = new Uint32Array(passages.length);
  const pages = new Uint32Array(passages.length);
  for (const [index, { text, heading, page, title }] of passages.entries()) {
    const path = JSON.stringify(heading);
    const number = headingNumbers.get(path) ?? headings.push(heading) - 1;
    headingNumbers.set(path, number);
    headingOf[index] = number;
    pages[index] = page ?? 0;
    lengths[index] = addTerms(postings, index, `${title}\n${heading.join('\n')}\n${text}`);
    const encoded = new TextEncoder().encode(text);
    texts.push(encoded);
    textOffsets[index + 1] = textOffsets[index]! + encoded.byteLength;
  }
  const terms = Uint32Array.from(postings.keys()).sort();
  const postingOffsets = new Uint32Array(terms.length + 1);
  const encodedPostings: Uint8Array[] = [];
  for (const [place, term] of terms.entries()) {
    const bytes = postings.get(term)!.bytes();
    encodedPostings.push(bytes);
    postingOffsets[place + 1] = postingOffsets[place]! + bytes.byteLength;
  }
  const head: Head = {
    documents: documents.map(({ documentId, title, passages: own }) => ({ documentId, title, passages: own.length })),
    headings,
    vectors: vectors && { model: vectors.model, dimensions: vectors.dimensions },
  };
  const headBytes = new TextEncoder().encode(JSON.stringify(head));
  const prefix = Uint32Array.of(
    MAGIC,
    VERSION,
    headBytes.byteLength,
    passages.length,
    terms.length,
    postingOffsets[terms.length]!,
  );
  return joined([
    prefix,
    headBytes,
    ...[headingOf, pages, lengths, textOffsets, terms, postingOffsets],
    concatenated(encodedPostings),
    concatenated(texts),
    ...(vectors ? [vectors.values] : []),
  ]);
}

/** The bytes of a segment that has none, with vectors of its passages, in their order. */
export function withVectors(bytes: Uint8Array, { values, ...described }: Vectors): Uint8Array {
  const reader = new Reader(bytes);
  const prefix = reader.words(6).slice();
  const head = JSON.parse(new TextDecoder().decode(reader.bytes(prefix[2]!))) as Head;
  const headBytes = new TextEncoder().encode(JSON.stringify({ ...head, vectors: described } satisfies Head));
  const rest = bytes.subarray(PREFIX_BYTES + padded(prefix[2]!));
  prefix[2] = headBytes.byteLength;
  return joined([prefix, headBytes, rest, values]);
}

/** The bytes of one segment of several, without some documents; null when no document is left. */
export function mergeSegments(segments: readonly Segment[], without: ReadonlySet<string>): Uint8Array | null {
  const documents: SegmentDocument[] = [];
  const vectors: Float32Array[] = [];
  const [model] = segments.map((segment) => segment.vectors);
  // Vectors of several models are of no use together.
  const keepsVectors = segments.every((segment) => model && segment.vectors?.model === model.model);
  for (const segment of segments)
    for (const { firstPassage, ...document } of segment.contents()) {
      if (without.has(document.documentId)) continue;
      documents.push(document);
      if (!keepsVectors) continue;
      const { dimensions, values } = segment.vectors!;
      const end = firstPassage + document.passages.length;
      vectors.push(values.subarray(firstPassage * dimensions, end * dimensions));
    }
  if (documents.length === 0) return null;
  return encodeSegment(documents, keepsVectors && model ? { ...model, values: floats(vectors) } : null);
}

/** Counts the terms of a passage. @returns how many there are. */
function addTerms(postings: Map<Term, Posting>, passage: number, text: string): number {
  let length = 0;
  const counts = new Map<Term, number>();
  eachTerm(text, (term) => {
    counts.set(term, (counts.get(term) ?? 0) + 1);
    length += 1;
  });
  for (const [term, count] of counts) {
    let posting = postings.get(term);
    if (posting === undefined) {
      posting = new Posting();
      postings.set(term, posting);
    }
    posting.add(passage, count);
  }
  return length;
}

/** Passages of a term, as steps from one to the next, in numbers of seven bits a byte. */
class Posting {
  #bytes = new Uint8Array(4);
  #length = 0;
  #last = -1;

  add(passage: number, count: number): void {
    this.#write(passage - this.#last);
    this.#write(count);
    this.#last = passage;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #write(number: number): void {
    for (let left = number; ; left >>>= 7) {
      if (this.#length === this.#bytes.length) {
        const longer = new Uint8Array(this.#bytes.length * 2);
        longer.set(this.#bytes);
        this.#bytes = longer;
      }
      this.#bytes[this.#length++] = left < 0x80 ? left : (left & 0x7f) | 0x80;
      if (left < 0x80) return;
    }
  }
}

function floats(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

const padded = (byteLength: number): number => (byteLength + 3) & ~3;

/** Sections one behind the other, each at a multiple of four bytes. */
function joined(sections: readonly (Uint8Array | Uint32Array | Float32Array)[]): Uint8Array {
  const whole = new Uint8Array(sections.reduce((sum, { byteLength }) => sum + padded(byteLength), 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of sections) {
    whole.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += padded(byteLength);
  }
  return whole;
}

/** Reads sections in the order in which they were joined, without copying them. */
class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    if (bytes.byteLength < PREFIX_BYTES) throw new Error('These bytes are not a segment of an index.');
    // Numbers are read where they lie, which they can be at multiples of their size only.
    this.#bytes = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  }

  bytes(length: number): Uint8Array {
    const section = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += padded(length);
    return section;
  }

  words(count: number): Uint32Array {
    const { buffer, byteOffset } = this.bytes(count * 4);
    return new Uint32Array(buffer, byteOffset, count);
  }

  floats(count: number): Float32Array {
    const { buffer, byteOffset } = this.bytes(count * 4);
    return new Float32Array(buffer, byteOffset, count);
  }
}
