import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Review, Reviews } from '../../extraction/domain/review.ts';
import type { StoredExtraction } from '../../extraction/domain/stored-extraction.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { ABSENT, below, equal, missing, or } from '../dynamodb/expressions.ts';
import { epochSeconds, extractionKey, linedExtractionKey, reviewKey } from '../dynamodb/keys.ts';
import { DynamoTable } from '../dynamodb/table.ts';

/** The review of an extraction: a separate item, kept as long as the extraction. */
export class DynamoReviews implements Reviews {
  readonly #table: DynamoTable;
  readonly #clock: Clock;

  constructor(client: DynamoDBDocumentClient, table: string, clock: Clock) {
    this.#table = new DynamoTable(client, table);
    this.#clock = clock;
  }

  async find(workspaceId: string, extractionId: string): Promise<Review | null> {
    const item = await this.#table.get<{ review: Review; expiresAt: number }>(reviewKey(workspaceId, extractionId));
    return item === null || item.expiresAt <= epochSeconds(this.#clock.now()) ? null : item.review;
  }

  async save({ workspaceId, extractionId, expiresAt }: StoredExtraction, review: Review): Promise<boolean> {
    const { version, openLines } = review;
    const { written } = await this.#table.put(
      {
        ...reviewKey(workspaceId, extractionId),
        extractionId,
        version,
        review,
        expiresAt: epochSeconds(Date.parse(expiresAt)),
      },
      version === 1 ? ABSENT : equal('version', version - 1),
    );
    if (!written) return false;
    // For the lists alone; one that comes late must not undo a later one.
    const change = {
      set: { openLines, reviewVersion: version },
      condition: or(missing('reviewVersion'), below('reviewVersion', version)),
    };
    if (!(await this.#table.update(extractionKey(workspaceId, extractionId), change)))
      await this.#table.update(linedExtractionKey(workspaceId, extractionId), change);
    return true;
  }
}
