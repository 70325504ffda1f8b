import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { routelessBody } from '../../functions/shared/http/error-formats.ts';
import { bodyTooLarge } from './gateway-responses.ts';

/**
 * `Content-Length` of 6,200,000 and more: with what API Gateway wraps around it, more than the 6 MiB of an event that
 * Lambda takes.
 */
const TOO_LONG_FOR_LAMBDA = '^(6[2-9][0-9]{5}|[7-9][0-9]{6}|[1-9][0-9]{7,})$';
const BODY_TOO_LARGE = 'body-too-large';

/**
 * Paths whose bodies are programs, documents, workflows with their inputs, or what people say to a model: `<script>` or
 * `/etc/passwd` in one is not an attack on the service.
 */
const FREE_TEXT_PATHS = [
  '/api/v1/execute',
  '/api/v1/chat/',
  '/api/v1/applications',
  '/api/v1/knowledge-bases',
  '/api/v1/webhooks/handle/',
  '/api/v1/workflows',
  '/api/v1/workflow-webhooks/',
  '/api/v1/runs/',
] as const;
/** The end of the path of a channel's test message; in the middle of a path it would let other bodies pass. */
const FREE_TEXT_END = '/test';

/** In five minutes, from one address: ten times what a single client may ask for. */
const REQUESTS_PER_ADDRESS = 30_000;

export interface FirewallProps {
  /** The protected resource: the stage of an API, or a load balancer. */
  readonly resourceArn: string;
  /** True if the protected resource accepts no more than Lambda. */
  readonly endsAtLambda: boolean;
}

const bodiesBeyondLambda: CfnWebACL.RuleProperty = {
  name: BODY_TOO_LARGE,
  priority: 0,
  action: { block: { customResponse: { responseCode: bodyTooLarge.status, customResponseBodyKey: BODY_TOO_LARGE } } },
  statement: {
    regexMatchStatement: {
      fieldToMatch: { singleHeader: { Name: 'content-length' } },
      regexString: TOO_LONG_FOR_LAMBDA,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  },
  visibilityConfig: visibility(BODY_TOO_LARGE),
};

/** AWS WAF with Amazon's common rules, a ceiling for each address, and a proper answer to bodies that API Gateway would refuse. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { resourceArn, endsAtLambda }: FirewallProps) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('firewall'),
      customResponseBodies: {
        // Nothing can be filled in here, not even the request's id.
        [BODY_TOO_LARGE]: {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify(routelessBody(bodyTooLarge, 'firewall')),
        },
      },
      rules: [
        ...(endsAtLambda ? [bodiesBeyondLambda] : []),
        {
          name: 'requests-per-address',
          priority: 1,
          action: { block: {} },
          statement: { rateBasedStatement: { aggregateKeyType: 'IP', limit: REQUESTS_PER_ADDRESS } },
          visibilityConfig: visibility('requests-per-address'),
        },
        {
          name: 'common',
          priority: 2,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: 'AWS',
              name: 'AWSManagedRulesCommonRuleSet',
              // Blocks bodies over 8 KB, which every image is.
              scopeDownStatement: {
                notStatement: {
                  statement: { orStatement: { statements: [...FREE_TEXT_PATHS.map(inPath), atEnd(FREE_TEXT_END)] } },
                },
              },
              ruleActionOverrides: [{ name: 'SizeRestrictions_BODY', actionToUse: { count: {} } }],
            },
          },
          visibilityConfig: visibility('common'),
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn,
      webAclArn: acl.attrArn,
    });
  }
}

/** Anywhere in the path: behind the name of the stage, unless the API has a custom name. */
const inPath = (text: string) => pathMatch(text, 'CONTAINS');
const atEnd = (text: string) => pathMatch(text, 'ENDS_WITH');

function pathMatch(searchString: string, positionalConstraint: string): CfnWebACL.StatementProperty {
  return {
    byteMatchStatement: {
      fieldToMatch: { uriPath: {} },
      positionalConstraint,
      searchString,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  };
}

function visibility(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}
