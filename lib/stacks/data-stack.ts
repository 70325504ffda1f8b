import { Stack, type StackProps } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { QueueId, TableId } from '../../functions/shared/http/route.ts';
import { type BucketId, buckets, queues, tables } from '../../functions/shared/resources.ts';
import type { Config } from '../config.ts';
import { DataTable } from '../constructs/data-table.ts';
import { MasterBucket } from '../constructs/master-bucket.ts';
import { PrivateBucket } from '../constructs/private-bucket.ts';
import { WorkQueue } from '../constructs/work-queue.ts';
import { mapValues } from '../map-values.ts';

export interface DataStackProps extends StackProps {
  readonly config: Config;
}

/** What must outlive every change of the code: tables, buckets and queues. */
export class DataStack extends Stack {
  readonly tables: Readonly<Record<TableId, TableV2>>;
  readonly buckets: Readonly<Record<BucketId, IBucket>>;
  readonly queues: Readonly<Record<QueueId, WorkQueue>>;
  readonly master: MasterBucket;

  constructor(scope: Construct, id: string, { config, ...props }: DataStackProps) {
    super(scope, id, props);
    const keepForGood = config.isProduction;
    const accessLogs = new PrivateBucket(this, 'AccessLogs', { expiryDays: config.logRetentionDays, keepForGood });

    this.tables = mapValues(
      tables,
      (definition, name) => new DataTable(this, `${name}-table`, { definition, keepForGood }).table,
    );
    this.buckets = mapValues(
      buckets,
      ({ expiryDays }, name) =>
        new PrivateBucket(this, `${name}-bucket`, { expiryDays, accessLogs: accessLogs.bucket, keepForGood }).bucket,
    );
    this.queues = mapValues(queues, (definition, name) => new WorkQueue(this, `${name}-queue`, { definition }));
    this.master = new MasterBucket(this, 'Master', {
      accessLogs: accessLogs.bucket,
      withSample: config.sampleMaster,
      logRetentionDays: config.logRetentionDays,
      keepForGood,
    });
  }
}
