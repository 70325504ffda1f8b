import type { SQSEvent, SQSRecord } from 'aws-lambda';

/** A message as SQS delivers it. @param body text as it is; anything else as JSON. */
export function sqsRecord(body: unknown, { id = 'm0', deliveries = 1 } = {}): SQSRecord {
  return {
    messageId: id,
    receiptHandle: `handle of ${id}`,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: String(deliveries),
      SentTimestamp: '0',
      SenderId: 'sender',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:ap-northeast-2:1:queue',
    awsRegion: 'ap-northeast-2',
  };
}

/** An event with a message for each body: `m0`, `m1` and so on. */
export const sqsEvent = (bodies: readonly unknown[]): SQSEvent => ({
  Records: bodies.map((body, i) => sqsRecord(body, { id: `m${i}` })),
});
