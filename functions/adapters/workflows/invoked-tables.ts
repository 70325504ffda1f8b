import { createHash } from 'node:crypto';
import { READ_TABLE, type TableReading, type TableToRead } from '../../extraction/domain/read-table.ts';
import type { Outcome } from '../../shared/invoked-function.ts';
import type { TableRequest, Tables } from '../../workflows/domain/effects/effect-ports.ts';
import type { JsonObject } from '../../workflows/domain/graph/graph.ts';
import type { Pause } from '../../workflows/domain/run/drive-ports.ts';
import { NodeFailed } from '../../workflows/domain/run/node-effects.ts';
import { invokeFunction } from '../lambda/invoke-function.ts';

/** A function's event has at most 6 MB. */
const MAX_BASE64_LENGTH = 5_500_000;
const POLL_INTERVAL_MS = 1_000;

/** The extraction's own function, which reads and charges once for a key. */
export class InvokedTables implements Tables {
  readonly #pause: Pause;

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  async read({ workspaceId, keyId, applicationId, onceKey, image, templateId }: TableRequest, signal: AbortSignal) {
    const event: TableToRead = {
      workspaceId,
      keyId,
      applicationId,
      idempotencyKey: createHash('sha256').update(`workflow ${onceKey}`).digest('hex'),
      ...sourceOf(image),
      ...(templateId !== null && { templateId }),
    };
    for (;;) {
      const outcome = await invokeFunction<Outcome<TableReading>>({ id: READ_TABLE }, event, signal);
      if ('result' in outcome) return outcome.result as unknown as JsonObject & { readonly cost: JsonObject };
      const { code, message, status } = outcome.refused;
      // The earlier function has died, but its reading continues: its result also serves this call.
      if (code !== 'idempotency_in_progress') throw new NodeFailed(code, message, { isPassing: status === 503 });
      await this.#pause.wait(POLL_INTERVAL_MS, signal);
      signal.throwIfAborted();
    }
  }
}

/** @throws NodeFailed */
function sourceOf(image: string): Pick<TableToRead, 'image' | 'imageUrl'> {
  if (!image.startsWith('data:')) return { imageUrl: image };
  const data = image.slice(image.indexOf(',') + 1);
  if (data.length > MAX_BASE64_LENGTH)
    throw new NodeFailed('image_too_large', 'config.image is larger than 4 MB. Send it by POST /api/v1/uploads.');
  return { image: data };
}
