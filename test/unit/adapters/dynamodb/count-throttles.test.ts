import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { countThrottles } from '../../../../functions/adapters/dynamodb/count-throttles.ts';

it('counts every attempt that DynamoDB throttles, also where the SDK’s next one succeeds', async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    if (calls === 3) return response.end('{}');
    response.statusCode = 400;
    response.end(JSON.stringify({ __type: 'com.amazonaws.dynamodb.v20120810#ThrottlingException', message: 'slow' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  let throttles = 0;
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'local',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  const count = async () => {
    throttles += 1;
  };
  try {
    await countThrottles(client, count).send(new GetItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } }));
    expect({ calls, throttles }).toEqual({ calls: 3, throttles: 2 });
  } finally {
    client.destroy();
    server.close();
  }
});
