import { allow, type GrantMaker } from './grant.ts';

/** Uses of the key by DynamoDB, S3 and SQS on behalf of a function. */
const ACTIONS = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];
const SERVICES = ['dynamodb', 's3', 'sqs'];

/** Using the customer's key for stored data, where the deployment has one: through the stores, never by itself. */
export const grantDataKey: GrantMaker = ({ stack, config: { dataKeyArn } }) =>
  dataKeyArn === undefined
    ? []
    : [
        {
          statements: [
            allow(ACTIONS, [dataKeyArn], {
              StringEquals: {
                'kms:ViaService': SERVICES.map((service) => `${service}.${stack.region}.${stack.urlSuffix}`),
              },
            }),
          ],
        },
      ];
