import type { BaseId } from '../../knowledge/domain/knowledge-base.ts';
import type { Segments } from '../../knowledge/domain/knowledge-ports.ts';
import type { Segment } from '../../knowledge/domain/segment.ts';

/** Keeps the most recently used segments, up to a number of bytes. Segments never change, so that the cache is never stale. */
export class CachedSegments implements Segments {
  readonly #source: Segments;
  readonly #maxBytes: number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Segment>();
  readonly #loading = new Map<string, Promise<Segment | null>>();
  #bytes = 0;

  constructor(source: Segments, maxBytes: number) {
    this.#source = source;
    this.#maxBytes = maxBytes;
  }

  async get(base: BaseId, segmentId: string): Promise<Segment | null> {
    // Ids of segments are unique; with the base in it, one of another workspace is never found.
    const key = `${base.workspaceId}/${base.baseId}/${segmentId}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    const loading = this.#loading.get(key) ?? this.#load(base, segmentId, key);
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(base: BaseId, segmentId: string, key: string): Promise<Segment | null> {
    try {
      const segment = await this.#source.get(base, segmentId);
      if (segment !== null) this.#keep(key, segment);
      return segment;
    } finally {
      this.#loading.delete(key);
    }
  }

  #keep(key: string, segment: Segment): void {
    this.#kept.set(key, segment);
    this.#bytes += segment.bytes.byteLength;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#maxBytes || oldest === key) return;
      this.#kept.delete(oldest);
      this.#bytes -= bytes.byteLength;
    }
  }
}
