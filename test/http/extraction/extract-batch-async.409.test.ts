import { expect, it } from 'vitest';
import { dynamoClient } from '../../../functions/adapters/dynamodb/client.ts';
import { DynamoIdempotency } from '../../../functions/adapters/shared/dynamo-idempotency.ts';
import { systemClock } from '../../../functions/adapters/shared/system-ports.ts';
import { batchBody } from '../../../functions/extraction/job-schemas.ts';
import { extractBatchRoute } from '../../../functions/extraction/routes.ts';
import { environment } from '../../../functions/shared/environment.ts';
import { claimKey } from '../../../functions/shared/idempotency/claim-key.ts';
import { keyedCall } from '../../../functions/shared/idempotency/keyed-call.ts';
import { problemOf } from '../../helpers/api.ts';
import { batchCall } from '../../helpers/batch.ts';
import { useService } from '../../helpers/service.ts';
import { createWorkspace, tracesOf } from '../../helpers/workspace.ts';

const service = useService();

it('409 idempotency_in_progress while another call holds the key, which makes no second job', async () => {
  const workspace = await createWorkspace();
  const { IDEMPOTENCY_TABLE } = environment('IDEMPOTENCY_TABLE');
  const body = batchBody.parse({ imageUrls: ['https://example.com/page.png'] });
  const idempotency = new DynamoIdempotency(dynamoClient(), IDEMPOTENCY_TABLE);
  const call = keyedCall(extractBatchRoute, 'order-1', body);
  await claimKey(workspace.workspaceId, call, 'another call', { idempotency, clock: systemClock });

  const answer = await batchCall(service, workspace, body, 'order-1');
  expect(answer.status).toBe(409);
  expect(problemOf(answer).code).toBe('idempotency_in_progress');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect((await tracesOf(workspace.workspaceId)).extractions).toEqual([]);
});
