/** List prices in us-east-1, USD, without free tiers and volume discounts; gathered on that day. */
export const PRICES_AS_OF = '2026-11-22';
export const PRICES_REGION = 'us-east-1';

interface Price {
  readonly usd: number;
  /** The priced unit. */
  readonly unit: string;
  readonly source: string;
}

export const prices = {
  apiRequest: { usd: 3.5e-6, unit: 'request of a REST API', source: 'https://aws.amazon.com/api-gateway/pricing/' },
  socketMessage: {
    usd: 1e-6,
    unit: 'message of a WebSocket, up to 32 KB',
    source: 'https://aws.amazon.com/api-gateway/pricing/',
  },
  lambdaRequest: { usd: 0.2e-6, unit: 'invocation', source: 'https://aws.amazon.com/lambda/pricing/' },
  lambdaGbSecond: { usd: 1.33334e-5, unit: 'GB-second, arm64', source: 'https://aws.amazon.com/lambda/pricing/' },
  dynamoRead: {
    usd: 0.125e-6,
    unit: 'read request unit',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  dynamoWrite: {
    usd: 0.625e-6,
    unit: 'write request unit',
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  s3Put: { usd: 5e-6, unit: 'PUT or LIST', source: 'https://aws.amazon.com/s3/pricing/' },
  s3Get: { usd: 0.4e-6, unit: 'GET', source: 'https://aws.amazon.com/s3/pricing/' },
  sqs: { usd: 0.4e-6, unit: 'request of a standard queue', source: 'https://aws.amazon.com/sqs/pricing/' },
  sqsGrouped: {
    usd: 0.5e-6,
    unit: 'request with a group, for fairness',
    source: 'https://aws.amazon.com/sqs/pricing/',
  },
  kms: { usd: 3e-6, unit: 'request', source: 'https://aws.amazon.com/kms/pricing/' },
  kmsKeyMonth: { usd: 1, unit: 'key and month', source: 'https://aws.amazon.com/kms/pricing/' },
  secret: { usd: 5e-6, unit: 'request', source: 'https://aws.amazon.com/secrets-manager/pricing/' },
  secretMonth: { usd: 0.4, unit: 'secret and month', source: 'https://aws.amazon.com/secrets-manager/pricing/' },
  textractTables: {
    usd: 0.015,
    unit: 'page, AnalyzeDocument with tables',
    source: 'https://aws.amazon.com/textract/pricing/',
  },
  logByte: { usd: 0.5e-9, unit: 'byte of logs', source: 'https://aws.amazon.com/cloudwatch/pricing/' },
  alarmMonth: { usd: 0.1, unit: 'metric of an alarm and month', source: 'https://aws.amazon.com/cloudwatch/pricing/' },
  dashboardMonth: { usd: 3, unit: 'dashboard and month', source: 'https://aws.amazon.com/cloudwatch/pricing/' },
  outByte: { usd: 0.09e-9, unit: 'byte out to the internet', source: 'https://aws.amazon.com/ec2/pricing/on-demand/' },
} as const satisfies Readonly<Record<string, Price>>;
