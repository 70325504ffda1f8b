import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { pagesFunction } from '../../lib/constructs/console-site.ts';
import { allOf, resourcesOf, type Synthesized, synthesize } from './synthesized.ts';

let stack: Synthesized;
beforeAll(() => {
  stack = synthesize({ console: 'true' });
});

const only = (type: string) => {
  const found = Object.values(resourcesOf(stack.template('console'), type));
  expect(found, type).toHaveLength(1);
  return found[0]!.Properties;
};

describe('the console on AWS', () => {
  it('is there only where it is asked for', () => {
    const without = synthesize();
    expect(without.console).toBeNull();
    expect(allOf(without, 'AWS::CloudFront::Distribution')).toEqual([]);
    const cors = allOf(without, 'AWS::S3::Bucket').filter(({ Properties }) => 'CorsConfiguration' in Properties);
    expect(cors).toEqual([]);
  });

  it('has the API under its own origin, never cached, with all that the browser sends', () => {
    const { CacheBehaviors, DefaultCacheBehavior } = only('AWS::CloudFront::Distribution').DistributionConfig as {
      CacheBehaviors: readonly Record<string, unknown>[];
      DefaultCacheBehavior: Record<string, unknown>;
    };
    expect(CacheBehaviors.map(({ PathPattern }) => PathPattern)).toEqual(['/api/*', '/embed.js', '/.well-known/*']);
    for (const behavior of CacheBehaviors) {
      expect(behavior.AllowedMethods).toContain('DELETE');
      // CachingDisabled and AllViewerExceptHostHeader.
      expect(behavior.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
      expect(behavior.OriginRequestPolicyId).toBe('b689b0a8-53d0-40ab-baf2-68738e2966ac');
    }
    expect(DefaultCacheBehavior.ViewerProtocolPolicy).toBe('redirect-to-https');
  });

  it('sends security headers that let in nothing inline', () => {
    const { ResponseHeadersPolicyConfig } = only('AWS::CloudFront::ResponseHeadersPolicy') as {
      ResponseHeadersPolicyConfig: { SecurityHeadersConfig: Record<string, unknown> };
    };
    const { ContentSecurityPolicy, StrictTransportSecurity } = ResponseHeadersPolicyConfig.SecurityHeadersConfig;
    const policy = JSON.stringify(ContentSecurityPolicy);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(StrictTransportSecurity).toMatchObject({ AccessControlMaxAgeSec: 31_536_000 });
  });

  it('answers its own paths with the one document, and no other', () => {
    const uriOf = (uri: string) =>
      runInNewContext(`${pagesFunction()}; handler({ request: { uri: ${JSON.stringify(uri)} } }).uri`);
    for (const uri of ['/', '/review/ext_1', '/account', '/guides/channels/slack.md'])
      expect(uriOf(uri)).toBe('/index.html');
    for (const uri of ['/assets/a.js', '/nowhere', '/api/v1/health']) expect(uriOf(uri)).toBe(uri);
  });

  it('lets pages use the presigned addresses of the two buckets that people send files to', () => {
    const open = allOf(stack, 'AWS::S3::Bucket').filter(({ Properties }) => 'CorsConfiguration' in Properties);
    expect(open).toHaveLength(2);
  });

  it('takes a domain name with its certificate, and neither alone', () => {
    const consoleCertificateArn = 'arn:aws:acm:us-east-1:1:certificate/1';
    const named = synthesize({ console: 'true', consoleDomainName: 'console.example.com', consoleCertificateArn });
    const [distribution] = Object.values(resourcesOf(named.template('console'), 'AWS::CloudFront::Distribution'));
    expect(distribution?.Properties.DistributionConfig).toMatchObject({
      Aliases: ['console.example.com'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021' },
    });
    expect(() => synthesize({ console: 'true', consoleCertificateArn })).toThrow('belong together');
  });

  it('has the guides that errors link to, unless an option names others', () => {
    const consoleCertificateArn = 'arn:aws:acm:us-east-1:1:certificate/1';
    const named = { console: 'true', consoleDomainName: 'console.example.com', consoleCertificateArn };
    const guidesUrls = (made: Synthesized) => [
      ...new Set(
        allOf(made, 'AWS::Lambda::Function')
          .map(({ Properties }) => Properties.Environment as { Variables: Record<string, unknown> } | undefined)
          .flatMap((environment) => (environment?.Variables.SERVICE_VERSION ? [environment.Variables.GUIDES_URL] : [])),
      ),
    ];
    expect(guidesUrls(synthesize())).toEqual([undefined]);
    expect(guidesUrls(stack)).toEqual(['/guides']);
    expect(guidesUrls(synthesize(named))).toEqual(['https://console.example.com/guides']);
    expect(guidesUrls(synthesize({ ...named, guidesUrl: 'https://docs.example.com/api' }))).toEqual([
      'https://docs.example.com/api',
    ]);
  });
});
