import { Annotations, CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import {
  type BucketDefinition,
  type BucketId,
  buckets,
  type QueueId,
  queues,
  type TableDefinition,
  type TableId,
  tables,
} from '../../functions/shared/resources.ts';
import type { Config } from '../config.ts';
import { DataTable } from '../constructs/data-table.ts';
import { MasterBucket } from '../constructs/master-bucket.ts';
import { PaymentSecret } from '../constructs/payment-secret.ts';
import { PrivateBucket } from '../constructs/private-bucket.ts';
import { SigningKeySecret } from '../constructs/signing-key-secret.ts';
import { WorkQueue } from '../constructs/work-queue.ts';
import { mapValues } from '../map-values.ts';

export interface DataStackProps extends StackProps {
  readonly config: Config;
}

/** Tables, buckets and queues: everything that must outlive a change of the code. */
export class DataStack extends Stack {
  readonly tables: Readonly<Record<TableId, TableV2>>;
  readonly buckets: Readonly<Record<BucketId, IBucket>>;
  readonly queues: Readonly<Record<QueueId, WorkQueue>>;
  readonly master: MasterBucket;
  /** Encrypts the secrets of chat applications. */
  readonly secretsKey: Key;
  /** The source of the access tokens' key. */
  readonly signingKey: Secret;
  /** The payment provider's webhook secret. */
  readonly paymentSecret: Secret;

  constructor(scope: Construct, id: string, { config, ...props }: DataStackProps) {
    super(scope, id, props);
    const keepForGood = config.keepData;
    if (!keepForGood && /^(prod|prd|live|main|release)/.test(config.stage))
      Annotations.of(this).addWarningV2(
        'tripod:data-not-kept',
        `The stage ${config.stage} sounds like production, and its data is deleted with its stack: set keepData=true to keep it.`,
      );
    const accessLogs = new PrivateBucket(this, 'AccessLogs', { expiryDays: config.logRetentionDays, keepForGood });

    const key = config.dataKeyArn === undefined ? {} : { key: Key.fromKeyArn(this, 'DataKey', config.dataKeyArn) };
    this.tables = mapValues<TableId, TableDefinition, TableV2>(
      tables,
      (definition, name) => new DataTable(this, `${name}-table`, { definition, keepForGood, ...key }).table,
    );
    this.buckets = mapValues<BucketId, BucketDefinition, IBucket>(
      buckets,
      ({ expiryDays }, name) =>
        new PrivateBucket(this, `${name}-bucket`, {
          ...(expiryDays !== undefined && { expiryDays }),
          accessLogs: accessLogs.bucket,
          keepForGood,
          isOpenToPages: config.console && (name === 'uploads' || name === 'knowledge'),
          ...key,
        }).bucket,
    );
    this.queues = mapValues(queues, (definition, name) => new WorkQueue(this, `${name}-queue`, { definition, ...key }));
    this.master = new MasterBucket(this, 'Master', {
      accessLogs: accessLogs.bucket,
      config,
      keepForGood,
    });
    this.secretsKey = new Key(this, 'SecretsKey', {
      description: `Secrets of chat applications, such as keys of model providers (${config.stage})`,
      enableKeyRotation: true,
      removalPolicy: keepForGood ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.signingKey = new SigningKeySecret(this, 'SigningKey', { keepForGood }).secret;
    this.paymentSecret = new PaymentSecret(this, 'PaymentSecret', { keepForGood }).secret;
    new CfnOutput(this, 'AccountsTable', {
      value: this.tables.accounts.tableName,
      description: 'Table of workspaces, for npm run workspace:create and npm run top-up',
    });
    new CfnOutput(this, 'MasterBucket', {
      value: this.master.bucket.bucketName,
      description: 'Bucket of the drug master, for npm run master:import',
    });
    new CfnOutput(this, 'PaymentSecretName', {
      value: this.paymentSecret.secretName,
      description: 'Secret of the payment provider’s webhooks: give it whsec_ and its text',
    });
    this.#exportAll();
  }

  /**
   * Exports the same values with any options. CloudFormation refuses to drop an export in use, and the CDK would export only the
   * currently used ones: removing an option would drop its export before the importing stack lets go.
   */
  #exportAll(): void {
    const values = [
      this.secretsKey.keyArn,
      ...Object.values(this.tables).flatMap(({ tableArn, tableName }) => [tableArn, tableName]),
      // The construct names a stream of each table, and CloudFormation refuses an output of one that is not there.
      ...Object.entries<TableDefinition>(tables).flatMap(([id, { isStreamed }]) => {
        const { tableStreamArn } = this.tables[id as TableId];
        return isStreamed === true && tableStreamArn !== undefined ? [tableStreamArn] : [];
      }),
      ...[...Object.values(this.buckets), this.master.bucket].flatMap(({ bucketArn, bucketName }) => [
        bucketArn,
        bucketName,
      ]),
      ...Object.values(this.queues).flatMap(({ queue, deadLetters }) => [
        ...[queue.queueArn, queue.queueUrl, queue.queueName],
        ...[deadLetters.queueArn, deadLetters.queueName],
      ]),
      this.signingKey.secretArn,
      this.paymentSecret.secretArn,
    ];
    for (const value of values) this.exportValue(value);
  }
}
