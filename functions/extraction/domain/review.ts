import type { Actor } from '../../accounts/domain/audit.ts';
import { type Item, type JudgedPage, LINE_FIELDS } from './extraction.ts';
import type { StoredExtraction } from './stored-extraction.ts';

/** Fields of a line that people may correct. */
export const REVIEW_FIELDS = LINE_FIELDS;
export type ReviewField = (typeof REVIEW_FIELDS)[number];
export type FieldValues = Partial<Readonly<Record<ReviewField, string | number | null>>>;

/** `accepted`: as it was read. `not_a_line`: the page prints no drug there. */
export const DECISIONS = ['accepted', 'corrected', 'not_a_line'] as const;
export type Decision = (typeof DECISIONS)[number];

/** A person's decision about a line. The reading stays unchanged. */
export interface LineReview {
  /** 0-based, among the items of the extraction. */
  readonly index: number;
  readonly decision: Decision;
  /** Of the corrected fields: as they were read, and as they are. */
  readonly before: FieldValues;
  readonly after: FieldValues;
  readonly by: Pick<Actor, 'kind' | 'id'>;
  readonly at: string;
}

/** One step of the history of a review; `decision` null: the line was opened again. */
export interface ReviewChange extends Omit<LineReview, 'decision' | 'before'> {
  readonly version: number;
  readonly decision: Decision | null;
}

export interface Review {
  /** Grows with every change, from 1. */
  readonly version: number;
  readonly updatedAt: string;
  /** Lines that need a review and have no decision. */
  readonly openLines: number;
  readonly lines: readonly LineReview[];
  /** Oldest first; the last `MAX_CHANGES` of them. */
  readonly changes: readonly ReviewChange[];
}

/** An item holds 400 KB; a change takes about 200 bytes. */
const MAX_CHANGES = 1_000;

export interface ReviewRequest {
  /** The version that the caller has read; 0: there was none. */
  readonly version: number;
  /** Every decision to keep; lines that are left out are open. */
  readonly lines: readonly {
    readonly index: number;
    readonly decision: Decision;
    readonly values?: FieldValues | undefined;
  }[];
}

export class ReviewRefused extends Error {
  readonly refusal: 'invalid_request' | 'review_changed';
  readonly details: Readonly<Record<string, unknown>>;

  constructor(refusal: ReviewRefused['refusal'], message: string, details: Readonly<Record<string, unknown>>) {
    super(message);
    this.refusal = refusal;
    this.details = details;
  }
}

export interface Reviews {
  find(workspaceId: string, extractionId: string): Promise<Review | null>;
  /** @returns false when the stored review has another version than the one before this. */
  save(extraction: StoredExtraction, review: Review): Promise<boolean>;
}

/** The review after a request. Decisions that stay as they are keep who made them, and when. @throws ReviewRefused */
export function reviewed(
  { items }: Pick<JudgedPage, 'items'>,
  current: Review | null,
  { version, lines }: ReviewRequest,
  by: LineReview['by'],
  at: string,
): Review {
  if (version !== (current?.version ?? 0)) throw reviewChanged(current?.version ?? 0);
  checkIndexes(items, lines);
  const former = new Map(current?.lines.map((line) => [line.index, line]));
  const next = lines
    .map(({ index, decision, values = {} }): LineReview => {
      const after = decision === 'corrected' ? differing(items[index]!, values) : {};
      const isCorrected = Object.keys(after).length > 0;
      const decided = decision === 'corrected' && !isCorrected ? 'accepted' : decision;
      const before = Object.fromEntries(
        Object.keys(after).map((field) => [field, items[index]![field as ReviewField]]),
      );
      const line = { index, decision: decided, before, after, by, at };
      const known = former.get(index);
      return known && isSame(known, line) ? known : line;
    })
    .sort((a, b) => a.index - b.index);
  const nextVersion = version + 1;
  const decided = new Set(next.map(({ index }) => index));
  const changes: ReviewChange[] = [
    ...next
      .filter((line) => former.get(line.index) !== line)
      .map(({ index, decision, after }) => ({ version: nextVersion, index, decision, after, by, at })),
    ...[...former.keys()]
      .filter((index) => !decided.has(index))
      .map((index) => ({ version: nextVersion, index, decision: null, after: {}, by, at })),
  ];
  return {
    version: nextVersion,
    updatedAt: at,
    openLines: items.filter(({ needsReview }, index) => needsReview && !decided.has(index)).length,
    lines: next,
    changes: [...(current?.changes ?? []), ...changes].slice(-MAX_CHANGES),
  };
}

export function reviewChanged(version: number): ReviewRefused {
  return new ReviewRefused(
    'review_changed',
    'This review has changed since you read it. Read it again, and send your changes with its version.',
    { version },
  );
}

function checkIndexes(items: readonly Item[], lines: ReviewRequest['lines']): void {
  const seen = new Set<number>();
  lines.forEach(({ index }, place) => {
    const fault =
      index >= items.length
        ? `there are ${items.length} items, counted from 0`
        : seen.has(index)
          ? 'names a line twice'
          : null;
    seen.add(index);
    if (fault === null) return;
    const field = `lines.${place}.index`;
    throw new ReviewRefused('invalid_request', `${field}: ${fault}.`, { fields: { [field]: fault } });
  });
}

/** Fields that are not as they were read. */
function differing(item: Item, values: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([field, value]) => item[field as ReviewField] !== value));
}

function isSame(a: LineReview, b: LineReview): boolean {
  return a.decision === b.decision && JSON.stringify(sorted(a.after)) === JSON.stringify(sorted(b.after));
}

function sorted(values: FieldValues): readonly (readonly [string, unknown])[] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}
