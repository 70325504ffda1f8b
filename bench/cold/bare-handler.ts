import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

export const client = new DynamoDBClient({});

/** The least that a function of this service can be: the yardstick of `npm run bench cold`. */
export const handler = async () => ({ statusCode: 204, body: '' });
