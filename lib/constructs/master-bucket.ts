import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefaultStackSynthesizer, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { CfnBucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { MASTER_OBJECT, SHIPPED_OBJECT } from '../../functions/shared/resources.ts';
import type { Config } from '../config.ts';
import { logGroup } from './log-group.ts';
import { PrivateBucket } from './private-bucket.ts';

const SHIPPED = fileURLToPath(new URL('../../layers/drug-master', import.meta.url));

export interface MasterBucketProps {
  readonly accessLogs: IBucket;
  readonly config: Config;
  readonly keepForGood: boolean;
}

/**
 * Holds the drug master: the list that comes with the product, and the imported one that replaces it. An import that went
 * wrong is undone by taking an older version.
 */
export class MasterBucket extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, props: MasterBucketProps) {
    super(scope, id);
    this.bucket = new PrivateBucket(this, 'master-bucket', { ...props, oldVersionsDays: 400 }).bucket;
    this.#deployShipped(props);
  }

  /** Value of the setting DRUG_MASTER. */
  get url(): string {
    return `s3://${this.bucket.bucketName}/${MASTER_OBJECT}`;
  }

  /** Reading the master, and learning that there is none: without the right to list, S3 answers 403 for a missing object. */
  readStatements(): PolicyStatement[] {
    return [
      new PolicyStatement({
        actions: ['s3:GetObject'],
        resources: [this.bucket.arnForObjects(MASTER_OBJECT), this.bucket.arnForObjects(SHIPPED_OBJECT)],
      }),
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [this.bucket.bucketArn] }),
    ];
  }

  #deployShipped({ config }: MasterBucketProps): void {
    const deployment = new BucketDeployment(this, 'Shipped', {
      destinationBucket: this.bucket,
      destinationKeyPrefix: dirname(SHIPPED_OBJECT),
      sources: [Source.asset(SHIPPED, { exclude: ['*.md'] })],
      // Imported masters live in the same bucket.
      prune: false,
      logGroup: logGroup(this, 'ShippedLogs', config),
    });
    this.#acknowledgeHelper(deployment);
  }

  /** The function behind BucketDeployment is the CDK's own, one a stack. */
  #acknowledgeHelper({ handlerRole }: BucketDeployment): void {
    const helper = handlerRole.node.scope;
    if (!helper) throw new Error('The role of a BucketDeployment has no function around it.');
    const bucketId = Stack.of(this).resolve((this.bucket.node.defaultChild as CfnBucket).logicalId) as string;
    const qualifier = Stack.of(this).synthesizer.bootstrapQualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER;
    const findings = [
      'L1',
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      ...['GetBucket*', 'GetObject*', 'List*', 'Abort*', 'DeleteObject*'].map((action) => `IAM5[Action::s3:${action}]`),
      `IAM5[Resource::<${bucketId}.Arn>/*]`,
      `IAM5[Resource::arn:<AWS::Partition>:s3:::cdk-${qualifier}-assets-<AWS::AccountId>-<AWS::Region>/*]`,
    ];
    for (const finding of findings)
      Validations.of(helper).acknowledge({
        id: `AwsSolutions-${finding}`,
        reason: 'The CDK writes these rights; the function runs at deployment only, to copy the shipped drug list.',
      });
  }
}
