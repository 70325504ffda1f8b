import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { dynamoClient } from '../../functions/adapters/dynamodb/client.ts';
import { type QueueId, queues, tables } from '../../functions/shared/resources.ts';
import type { UsedService } from './service.ts';

/** Every place of the stores, `table pk sk` or `file path`, whose name or content has the text in it, compressed content included. */
export async function placesNaming({ dataDir }: UsedService, text: string): Promise<string[]> {
  const places = [...(await itemPlaces(text)), ...(await filePlaces(join(dataDir, 's3'), text))];
  return places.sort();
}

async function itemPlaces(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const [id, { environment }] of Object.entries(tables)) {
    const pages = paginateScan(
      { client: dynamoClient() },
      { TableName: process.env[environment]!, ConsistentRead: true },
    );
    for await (const { Items = [] } of pages)
      for (const item of Items) if (readable(item).includes(text)) found.push(`${id} ${item.pk} ${item.sk}`);
  }
  return found;
}

const readable = (item: object): string =>
  JSON.stringify(item, (_key, value: unknown) =>
    isBytes(value) ? unpacked(Buffer.from(Object.values(value))) : value,
  );

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

async function filePlaces(folder: string, text: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const file of files) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    if (path.includes(text) || unpacked(await readFile(path)).includes(text)) found.push(`file ${path}`);
  }
  return found;
}

function unpacked(bytes: Buffer): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Messages in all queues, those that are being worked on and dead letters included. */
export async function messagesLeft({ aws }: UsedService): Promise<number> {
  const client = new SQSClient({ useQueueUrlAsEndpoint: false });
  const urls = Object.keys(queues).flatMap((id) => Object.values(aws.queue(id as QueueId)));
  const counts = await Promise.all(
    urls.map(async (QueueUrl) => {
      const { Attributes = {} } = await client.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
      );
      return Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible);
    }),
  );
  client.destroy();
  return counts.reduce((sum, count) => sum + count, 0);
}
