import type { SQSEvent } from 'aws-lambda';
import { expect, it } from 'vitest';
import { eachImage, pauseSeconds } from '../../../functions/extraction/image-messages.ts';

const image = (index: number) => ({ workspaceId: 'ws_1', jobId: 'job_1', index });
const eventOf = (bodies: readonly string[]) =>
  ({ Records: bodies.map((body, i) => ({ messageId: `m${i}`, body })) }) as unknown as SQSEvent;

it('names the messages that must come again, and no others: one that fails does not stop the rest', async () => {
  const event = eventOf([0, 1, 2, 3].map((index) => JSON.stringify(image(index))));
  const seen: number[] = [];
  const answer = await eachImage(event, async ({ index }) => {
    seen.push(index);
    if (index === 1) throw new Error('unavailable');
    return index === 2 ? 'again' : 'done';
  });
  expect(seen).toEqual([0, 1, 2, 3]);
  expect(answer.batchItemFailures).toEqual([{ itemIdentifier: 'm1' }, { itemIdentifier: 'm2' }]);
});

it('drops what names no image', async () => {
  const event = eventOf(['', '{', '{}', JSON.stringify({ ...image(0), index: -1 }), JSON.stringify(image(7))]);
  const seen: unknown[] = [];
  const answer = await eachImage(event, async (id) => {
    seen.push(id);
    return 'done';
  });
  expect(seen).toEqual([image(7)]);
  expect(answer.batchItemFailures).toEqual([]);
});

it.each([
  [0, [5, 10, 20, 40, 80, 160, 180, 180, 180]],
  [0.999, [10, 20, 40, 80, 160, 320, 360, 360, 360]],
])(
  'lets a message wait twice as long after each delivery, and never longer than its queue does: %d',
  (chance, pauses) => {
    const recordOf = (deliveries: number) =>
      ({ attributes: { ApproximateReceiveCount: String(deliveries) } }) as unknown as SQSEvent['Records'][number];
    expect(pauses.map((_, i) => pauseSeconds(recordOf(i + 1), () => chance))).toEqual(pauses);
  },
);
