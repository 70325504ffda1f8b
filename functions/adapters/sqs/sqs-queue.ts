import { randomUUID } from 'node:crypto';
import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { traceparent } from '../../shared/tracing/spans.ts';
import { gathered } from '../shared/gathered.ts';

/** Limit of SendMessageBatch. */
const MAX_MESSAGES_PER_CALL = 10;

/** Messages of one tenant are a group: SQS gives those of others first while many of one are in flight. */
export interface TenantMessage {
  readonly workspaceId: string;
}

/** A queue of messages in JSON, fair among tenants. */
export class SqsQueue<Message extends TenantMessage> {
  readonly #client: SQSClient;
  readonly #queueUrl: string;
  readonly #send = gathered<SendMessageBatchRequestEntry>(MAX_MESSAGES_PER_CALL, (entries) => this.#sendAll(entries));

  constructor(client: SQSClient, queueUrl: string) {
    this.#client = client;
    this.#queueUrl = queueUrl;
  }

  /** @param delaySeconds of each message before its first delivery; up to 900. */
  async send(messages: readonly Message[], delaySeconds = 0): Promise<void> {
    await Promise.all(
      messages.map((message) =>
        this.#send({
          Id: randomUUID(),
          MessageBody: JSON.stringify(message),
          MessageGroupId: message.workspaceId,
          ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
          ...traceAttribute(),
        }),
      ),
    );
  }

  /** Sets the delay until a message that is being processed is delivered again, instead of the queue's time-out. */
  async changeVisibility(receiptHandle: string, seconds: number): Promise<void> {
    await this.#client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: this.#queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }),
    );
  }

  async #sendAll(entries: readonly SendMessageBatchRequestEntry[]) {
    const { Failed = [] } = await this.#client.send(
      new SendMessageBatchCommand({ QueueUrl: this.#queueUrl, Entries: [...entries] }),
    );
    const reasons = new Map(Failed.map(({ Id, Message }) => [Id, Message]));
    return new Map(
      entries
        .filter(({ Id }) => reasons.has(Id))
        .map((entry) => [entry, new Error(`A message was not queued: ${reasons.get(entry.Id)}`)]),
    );
  }
}

/** The trace of the sender, for the function that processes the message. */
function traceAttribute(): Pick<SendMessageBatchRequestEntry, 'MessageAttributes'> {
  const parent = traceparent();
  return parent === undefined
    ? {}
    : { MessageAttributes: { traceparent: { DataType: 'String', StringValue: parent } } };
}
