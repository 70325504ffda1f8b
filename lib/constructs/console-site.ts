import { type CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import { CONSOLE_PAGES } from '../../console/src/app/paths.ts';
import type { Config } from '../config.ts';
import { contentSecurityPolicy } from '../packaging/console-headers.ts';
import { logGroup } from './log-group.ts';
import { PrivateBucket } from './private-bucket.ts';

export interface ConsoleSiteProps {
  readonly config: Config;
  /** Folder of the built console. */
  readonly assets: string;
  /** Host of the REST API, and the path of its stage. */
  readonly api: { readonly host: string; readonly path: string };
  /** Buckets that browsers send files to and see pictures from. */
  readonly openBuckets: readonly IBucket[];
}

/** Paths of the API that the console, and pages with a chatbot, call under the console's address. */
const API_PATHS = ['/api/*', '/embed.js', '/.well-known/*'];
/** The longest pause between two parts of an answer that CloudFront waits for without a higher quota. */
const ORIGIN_TIMEOUT_SECONDS = 60;

/** The console's files behind CloudFront, with the API under the same origin, so that its session cookie stays one of one origin. */
export class ConsoleSite extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { config, assets, api, openBuckets }: ConsoleSiteProps) {
    super(scope, id);
    const { bucket } = new PrivateBucket(this, 'Files', { keepForGood: false });
    const named = config.consoleDomainName !== undefined && config.consoleCertificateArn !== undefined;
    const origin = new HttpOrigin(api.host, {
      originPath: api.path,
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      readTimeout: Duration.seconds(ORIGIN_TIMEOUT_SECONDS),
    });
    const apiBehavior = {
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      // The API finds itself by its own name.
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    };
    const distribution = new Distribution(this, 'Distribution', {
      comment: `Tripod console (${config.stage})`,
      defaultRootObject: 'index.html',
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PriceClass.PRICE_CLASS_200,
      ...(named && {
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        domainNames: [config.consoleDomainName!],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', config.consoleCertificateArn!),
      }),
      defaultBehavior: {
        origin: S3BucketOrigin.withOriginAccessControl(bucket),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        compress: true,
        responseHeadersPolicy: this.#securityHeaders(openBuckets),
        functionAssociations: [
          {
            eventType: FunctionEventType.VIEWER_REQUEST,
            function: new EdgeFunction(this, 'Pages', {
              runtime: FunctionRuntime.JS_2_0,
              code: FunctionCode.fromInline(pagesFunction()),
            }),
          },
        ],
      },
      additionalBehaviors: Object.fromEntries(API_PATHS.map((path) => [path, apiBehavior])),
    });
    this.url = `https://${config.consoleDomainName ?? distribution.distributionDomainName}/`;
    // The names of all but the first page change with their content.
    // Without it, CDK makes one that outlives the stack.
    const copierLog = logGroup(this, 'CopierLog', config);
    new BucketDeployment(this, 'Assets', {
      logGroup: copierLog,
      sources: [Source.asset(assets, { exclude: ['index.html', '.vite', '*.br'] })],
      destinationBucket: bucket,
      cacheControl: [CacheControl.fromString('public, max-age=31536000, immutable')],
      prune: false,
    });
    new BucketDeployment(this, 'Document', {
      logGroup: copierLog,
      sources: [Source.asset(assets, { exclude: ['*', '!index.html'] })],
      destinationBucket: bucket,
      cacheControl: [CacheControl.noCache()],
      prune: false,
      distribution,
      distributionPaths: ['/index.html'],
    });
    this.#acknowledge(distribution, bucket, named);
  }

  #securityHeaders(openBuckets: readonly IBucket[]): ResponseHeadersPolicy {
    // By its name, which other stacks import anyway.
    const { region, urlSuffix } = Stack.of(this);
    const origins = openBuckets.map(({ bucketName }) => `https://${bucketName}.s3.${region}.${urlSuffix}`);
    const year = Duration.days(365);
    return new ResponseHeadersPolicy(this, 'Headers', {
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy: contentSecurityPolicy(origins), override: true },
        contentTypeOptions: { override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.SAME_ORIGIN, override: true },
        strictTransportSecurity: { accessControlMaxAge: year, includeSubdomains: true, override: true },
      },
      customHeadersBehavior: {
        customHeaders: [
          { header: 'cross-origin-opener-policy', value: 'same-origin', override: true },
          { header: 'permissions-policy', value: 'geolocation=(), microphone=(), payment=(), usb=()', override: true },
        ],
      },
    });
  }

  #acknowledge(distribution: Distribution, bucket: IBucket, named: boolean): void {
    const validations = Validations.of(distribution);
    validations.acknowledge({ id: 'AwsSolutions-CFR1', reason: 'Members may work from any country.' });
    validations.acknowledge({
      id: 'AwsSolutions-CFR2',
      reason: 'The firewall of the option waf protects the API; the pages are public files.',
    });
    validations.acknowledge({
      id: 'AwsSolutions-CFR3',
      reason: 'API Gateway logs every call; the rest are public files.',
    });
    if (!named)
      validations.acknowledge({
        id: 'AwsSolutions-CFR4',
        reason: 'CloudFront’s own certificate sets its own minimum; consoleDomainName has TLS 1.2.',
      });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds public files, read through CloudFront.',
    });
    const reason = 'The CDK’s own function copies the files at a deployment; its rights end at the two buckets.';
    const stack = Stack.of(this);
    const files = stack.getLogicalId(bucket.node.defaultChild as CfnElement);
    const qualifier = this.node.tryGetContext('@aws-cdk/core:bootstrapQualifier') ?? 'hnb659fds';
    const findings = [
      'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      ...['GetBucket*', 'GetObject*', 'List*', 'Abort*', 'DeleteObject*'].map((action) => `IAM5[Action::s3:${action}]`),
      `IAM5[Resource::arn:<AWS::Partition>:s3:::cdk-${qualifier}-assets-<AWS::AccountId>-<AWS::Region>/*]`,
      `IAM5[Resource::<${files}.Arn>/*]`,
      'IAM5[Resource::*]',
      'L1',
    ];
    for (const copier of stack.node.children.filter(({ node }) => node.id.startsWith('Custom::CDKBucketDeployment')))
      for (const finding of findings) Validations.of(copier).acknowledge({ id: `AwsSolutions-${finding}`, reason });
  }
}

/** The function at CloudFront: each of the console's paths is the one document, as in the local service. */
export function pagesFunction(): string {
  return `var pages = ${JSON.stringify(CONSOLE_PAGES)};
function handler(event) {
  var request = event.request;
  if (pages.indexOf(request.uri.split('/')[1]) >= 0) request.uri = '/index.html';
  return request;
}
`;
}
