import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueDefinition } from '../../functions/shared/resources.ts';

export interface WorkQueueProps {
  readonly definition: QueueDefinition;
  /** Encrypts the messages; absent: a key of AWS. */
  readonly key?: IKey;
}

/** A queue, and the one for messages that its consumer failed on again and again. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { definition, key }: WorkQueueProps) {
    super(scope, id);
    const encrypted = key
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
      : { encryption: QueueEncryption.SQS_MANAGED };
    const guarded = { ...encrypted, enforceSSL: true };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...guarded,
      retentionPeriod: Duration.seconds(definition.deadLetterRetentionSeconds),
    });
    this.queue = new Queue(this, 'Queue', {
      ...guarded,
      visibilityTimeout: Duration.seconds(definition.visibilityTimeoutSeconds),
      retentionPeriod: Duration.seconds(definition.retentionSeconds),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: definition.maxReceiveCount },
      redriveAllowPolicy: { redrivePermission: RedrivePermission.DENY_ALL },
    });
  }
}
