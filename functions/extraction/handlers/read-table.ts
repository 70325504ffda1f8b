import { keyedCall } from '../../shared/idempotency/keyed-call.ts';
import { invokedHandler } from '../../shared/invoked-function.ts';
import { extractPorts } from '../../wiring/extraction/extraction.ts';
import { extract } from '../domain/extract.ts';
import type { ExtractionResult } from '../domain/extraction.ts';
import type { TableToRead } from '../domain/read-table.ts';
import { toProblem } from '../http-errors.ts';
import { toResultResponse } from '../item-responses.ts';
import { readTableWorker } from '../workers.ts';

const ports = extractPorts();
/** Keys of tools and keys of clients are apart. */
const call = { path: '/tools/read-table', limits: readTableWorker.limits } as const;

export const handler = invokedHandler<TableToRead, ExtractionResult>(
  toProblem,
  async ({ idempotencyKey, workspaceId, keyId, applicationId, ...image }, { deadlineMs }) => {
    const idempotency = keyedCall(call, idempotencyKey, image);
    const { result } = await extract(
      { ...image, workspaceId, keyId, applicationId: applicationId ?? null, idempotency, deadlineMs },
      ports,
    );
    return toResultResponse(result, 'en');
  },
);
