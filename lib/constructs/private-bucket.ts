import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

export interface PrivateBucketProps {
  /** Days after which objects are deleted; absent: never. */
  readonly expiryDays?: number;
  /** Days for which older versions of an object are kept; absent: not kept. */
  readonly oldVersionsDays?: number;
  /** Where S3 writes who accessed what; absent only for that bucket itself. */
  readonly accessLogs?: IBucket;
  readonly keepForGood: boolean;
  /** Pages of any origin may use its presigned addresses, which alone say what may be done. */
  readonly isOpenToPages?: boolean;
  /** Encrypts the objects; absent: a key of AWS. */
  readonly key?: IKey;
}

/** A bucket that takes no request without credentials and TLS. */
export class PrivateBucket extends Construct {
  readonly bucket: IBucket;

  constructor(scope: Construct, id: string, props: PrivateBucketProps) {
    super(scope, id);
    const { expiryDays, oldVersionsDays, accessLogs, isOpenToPages = false, key } = props;
    // Under exactOptionalPropertyTypes the CDK's own class does not match its interface.
    this.bucket = new Bucket(this, 'Bucket', {
      ...(key
        ? { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }
        : { encryption: BucketEncryption.S3_MANAGED }),
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: oldVersionsDays !== undefined,
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: Duration.days(1),
          ...(expiryDays !== undefined && { expiration: Duration.days(expiryDays) }),
          ...(oldVersionsDays !== undefined && { noncurrentVersionExpiration: Duration.days(oldVersionsDays) }),
        },
      ],
      ...(isOpenToPages && {
        cors: [
          {
            allowedMethods: [HttpMethods.GET, HttpMethods.PUT],
            allowedOrigins: ['*'],
            allowedHeaders: ['content-type'],
            maxAge: 3600,
          },
        ],
      }),
      ...(accessLogs && { serverAccessLogsBucket: accessLogs, serverAccessLogsPrefix: `${id}/` }),
      removalPolicy: props.keepForGood ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      // CloudFormation cannot delete a bucket that holds objects.
      autoDeleteObjects: !props.keepForGood,
    }) as IBucket;
  }
}
