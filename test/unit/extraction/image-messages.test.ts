import { expect, it } from 'vitest';
import { imageMessages } from '../../../functions/extraction/image-messages.ts';
import { retryDelaySeconds } from '../../../functions/shared/leases/process-batch.ts';
import { sqsRecord } from '../../helpers/sqs-event.ts';

const image = { workspaceId: 'ws_1', jobId: 'job_1', index: 7 };

it('a message names one image, and nothing else is one', () => {
  expect(imageMessages.schema.parse(image)).toEqual(image);
  for (const body of ['', {}, { ...image, index: -1 }, { ...image, index: '7' }])
    expect(imageMessages.schema.safeParse(body).success).toBe(false);
});

it.each([
  [0, [5, 10, 20, 40, 80, 160, 180, 180, 180]],
  [0.999, [10, 20, 40, 80, 160, 320, 360, 360, 360]],
])(
  'lets a message wait twice as long after each delivery, and never longer than its queue does: %d',
  (chance, seconds) => {
    const delays = seconds.map((_, i) =>
      retryDelaySeconds(imageMessages.retries, sqsRecord(image, { deliveries: i + 1 }), () => chance),
    );
    expect(delays).toEqual(seconds);
  },
);
