import type { EmbeddedQueue, MessageAttributes, ReceivedMessage } from './queue.ts';

/** An error that the SDK knows by its type. */
export class SqsError extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

export interface QueueDirectory {
  find(name: string): EmbeddedQueue | undefined;
  names(): readonly string[];
  queueUrl(name: string): string;
}

interface Entry {
  readonly Id?: string;
  readonly MessageBody?: string;
  readonly MessageGroupId?: string;
  readonly DelaySeconds?: number;
  readonly MessageAttributes?: MessageAttributes;
  readonly ReceiptHandle?: string;
  readonly VisibilityTimeout?: number;
}

interface Input extends Entry {
  readonly QueueUrl?: string;
  readonly QueueName?: string;
  readonly MaxNumberOfMessages?: number;
  readonly WaitTimeSeconds?: number;
  readonly Entries?: readonly Entry[];
  readonly Attributes?: Readonly<Record<string, string>>;
}

type Action = (input: Input, gone: AbortSignal) => object | Promise<object>;

/** Limits of SQS. */
const MAX_ENTRIES = 10;
const MAX_DELAY_SECONDS = 900;
const MAX_WAIT_SECONDS = 20;
const MAX_RECEIVES = 1000;
const MAX_VISIBILITY_SECONDS = 12 * 60 * 60;

const names = [
  'SendMessage',
  'SendMessageBatch',
  'ReceiveMessage',
  'DeleteMessage',
  'DeleteMessageBatch',
  'ChangeMessageVisibility',
  'GetQueueAttributes',
  'SetQueueAttributes',
  'GetQueueUrl',
  'ListQueues',
] as const;
type ActionName = (typeof names)[number];

export const isAction = (name: string): name is ActionName => names.some((known) => known === name);

/** The operations of SQS that the service, its consumers and its tests use, in the JSON protocol. */
export function sqsActions(directory: QueueDirectory): Readonly<Record<ActionName, Action>> {
  const queueOf = ({ QueueUrl = '', QueueName = QueueUrl.split('/').at(-1) ?? '' }: Input): EmbeddedQueue => {
    const queue = directory.find(QueueName);
    if (queue === undefined) throw new SqsError('QueueDoesNotExist', `There is no queue ${QueueName}.`);
    return queue;
  };
  const sendOne = (queue: EmbeddedQueue, entry: Entry) => {
    const { MessageBody = '', MessageGroupId = '', DelaySeconds = 0, MessageAttributes = {} } = entry;
    if (MessageBody === '') throw new SqsError('MissingParameter', 'MessageBody is needed.');
    inRange('DelaySeconds', DelaySeconds, 0, MAX_DELAY_SECONDS);
    const given = { body: MessageBody, group: MessageGroupId, delaySeconds: DelaySeconds };
    const sent = queue.send({ ...given, attributes: MessageAttributes });
    return { MessageId: sent.id, MD5OfMessageBody: sent.bodyMd5 };
  };
  return {
    SendMessage: (input) => sendOne(queueOf(input), input),
    SendMessageBatch(input) {
      const queue = queueOf(input);
      return { Successful: entriesOf(input).map((entry) => ({ Id: entry.Id, ...sendOne(queue, entry) })), Failed: [] };
    },
    async ReceiveMessage(input, gone) {
      const { MaxNumberOfMessages = 1, WaitTimeSeconds = 0, VisibilityTimeout } = input;
      inRange('MaxNumberOfMessages', MaxNumberOfMessages, 1, MAX_ENTRIES);
      inRange('WaitTimeSeconds', WaitTimeSeconds, 0, MAX_WAIT_SECONDS);
      const received = await queueOf(input).receive(
        MaxNumberOfMessages,
        WaitTimeSeconds * 1000,
        gone,
        VisibilityTimeout,
      );
      return received.length === 0 ? {} : { Messages: received.map(toMessage) };
    },
    DeleteMessage(input) {
      queueOf(input).delete(input.ReceiptHandle ?? '');
      return {};
    },
    DeleteMessageBatch(input) {
      const queue = queueOf(input);
      const entries = entriesOf(input);
      for (const { ReceiptHandle = '' } of entries) queue.delete(ReceiptHandle);
      return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
    },
    ChangeMessageVisibility(input) {
      const { ReceiptHandle = '', VisibilityTimeout = 0 } = input;
      inRange('VisibilityTimeout', VisibilityTimeout, 0, MAX_VISIBILITY_SECONDS);
      if (!queueOf(input).changeVisibility(ReceiptHandle, VisibilityTimeout))
        throw new SqsError('MessageNotInflight', 'The message is not in flight.');
      return {};
    },
    GetQueueAttributes(input) {
      const queue = queueOf(input);
      const { visible, inFlight, delayed } = queue.counts();
      const Attributes = {
        ApproximateNumberOfMessages: String(visible),
        ApproximateNumberOfMessagesNotVisible: String(inFlight),
        ApproximateNumberOfMessagesDelayed: String(delayed),
        ...(Number.isFinite(queue.maxReceiveCount) && {
          RedrivePolicy: JSON.stringify({ maxReceiveCount: queue.maxReceiveCount }),
        }),
      };
      return { Attributes };
    },
    SetQueueAttributes(input) {
      const queue = queueOf(input);
      const { RedrivePolicy, ...others } = input.Attributes ?? {};
      if (RedrivePolicy === undefined || Object.keys(others).length > 0)
        throw new SqsError('InvalidAttributeName', 'Of the attributes, only RedrivePolicy can be set here.');
      queue.maxReceiveCount = maxReceiveCountOf(RedrivePolicy);
      return {};
    },
    GetQueueUrl(input) {
      queueOf(input);
      return { QueueUrl: directory.queueUrl(input.QueueName ?? '') };
    },
    ListQueues: () => ({ QueueUrls: directory.names().map(directory.queueUrl) }),
  };
}

function entriesOf({ Entries = [] }: Input): readonly Entry[] {
  if (Entries.length === 0) throw new SqsError('EmptyBatchRequest', 'There are no entries.');
  if (Entries.length > MAX_ENTRIES) throw new SqsError('TooManyEntriesInBatchRequest', `At most ${MAX_ENTRIES}.`);
  if (new Set(Entries.map(({ Id }) => Id)).size < Entries.length)
    throw new SqsError('BatchEntryIdsNotDistinct', 'Two entries have the same Id.');
  return Entries;
}

function maxReceiveCountOf(policy: string): number {
  try {
    const count = Number((JSON.parse(policy) as { readonly maxReceiveCount?: unknown }).maxReceiveCount);
    inRange('maxReceiveCount', count, 1, MAX_RECEIVES);
    return count;
  } catch (error) {
    if (error instanceof SqsError) throw error;
    throw new SqsError('InvalidAttributeValue', 'RedrivePolicy is not JSON.');
  }
}

function inRange(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new SqsError('InvalidParameterValue', `${name} must be ${min} to ${max}.`);
}

function toMessage({ id, receiptHandle, body, bodyMd5, group, attributes, ...counted }: ReceivedMessage): object {
  return {
    MessageId: id,
    ReceiptHandle: receiptHandle,
    Body: body,
    MD5OfBody: bodyMd5,
    ...(Object.keys(attributes).length > 0 && { MessageAttributes: attributes }),
    Attributes: {
      ApproximateReceiveCount: String(counted.receives),
      SentTimestamp: String(counted.sentAtMs),
      ApproximateFirstReceiveTimestamp: String(counted.firstReceivedAtMs),
      ...(group !== '' && { MessageGroupId: group }),
    },
  };
}
