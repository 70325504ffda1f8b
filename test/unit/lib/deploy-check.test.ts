import { describe, expect, it } from 'vitest';
import { type Facts, findingsOf, optionDifferences } from '../../../bin/deploy-check/findings.ts';
import { readConfig } from '../../../lib/config.ts';
import { queueConcurrency, totalQueueConcurrency } from '../../../lib/queue-concurrency.ts';

const config = (options: Readonly<Record<string, unknown>> = {}) => readConfig((name) => options[name]);
const facts = (more: Partial<Facts> = {}): Facts => ({
  region: 'ap-northeast-2',
  isBootstrapped: true,
  concurrency: 1000,
  mail: null,
  refusedModels: {},
  deployed: 'none',
  ...more,
});
const problems = (options: Readonly<Record<string, unknown>>, more: Partial<Facts> = {}) =>
  findingsOf(config(options), facts(more)).flatMap(({ kind, text }) => (kind === 'problem' ? [text] : []));

describe('the check before a deployment', () => {
  it('finds nothing wrong with a usual account', () => {
    expect(problems({})).toEqual([]);
  });

  it.each([
    ['no bootstrap', {}, { isBootstrapped: false }, /npx cdk bootstrap/],
    ['a young account', {}, { concurrency: 10 }, /111 functions at once .*quota is 10.*ask for at least 131/],
    [
      'a certificate of another region',
      { domainName: 'a.example', certificateArn: 'arn:aws:acm:us-east-1:1:certificate/1' },
      {},
      /certificateArn must be .* ap-northeast-2.*us-east-1/,
    ],
    [
      'a sender that is not verified',
      { mailFrom: 'a@b.example' },
      { mail: { isVerified: false, reachesEverybody: true } },
      /has not verified/,
    ],
    [
      'a region without Textract',
      { reader: 'textract' },
      { region: 'ap-northeast-1' },
      /Textract is not known to be in ap-northeast-1/,
    ],
    [
      'a model without access',
      { chatModels: 'm' },
      { refusedModels: { m: 'no access' } },
      /Bedrock refuses m: no access/,
    ],
  ])('names %s and what to do', (_what, options, more, message) => {
    expect(problems(options, more)).toEqual([expect.stringMatching(message)]);
  });

  it('warns that SES in its sandbox reaches few', () => {
    const found = findingsOf(
      config({ mailFrom: 'a@b.example' }),
      facts({ mail: { isVerified: true, reachesEverybody: false } }),
    );
    expect(found).toContainEqual({ kind: 'warning', text: expect.stringContaining('sandbox') });
  });
});

it('the options of a deployment are compared as they are written, in a file or on the command line', () => {
  const deployed = { sandboxMinIdle: '2', waf: true, corsOrigins: ['https://a.example'] };
  expect(optionDifferences(deployed, { sandboxMinIdle: 2, waf: 'true', corsOrigins: 'https://a.example' })).toEqual([
    'No option changes.',
  ]);
  expect(optionDifferences(deployed, { waf: false, sandbox: 'fargate' })).toEqual([
    'The deployment changes these options:',
    '  corsOrigins: https://a.example → (default)',
    '  sandbox: (default) → fargate',
    '  sandboxMinIdle: 2 → (default)',
    '  waf: true → false',
  ]);
});

describe('the concurrency of queues', () => {
  it('is an option for each kind of work, and their sum is known', () => {
    expect(queueConcurrency(config({ answerConcurrency: 200, deliveryConcurrency: 90 }))).toMatchObject({
      'channel-inbound': 200,
      'deliveries-high': 50,
      'deliveries-normal': 30,
      'deliveries-low': 10,
    });
    expect(totalQueueConcurrency(config())).toBe(111);
  });

  it('never falls below what Lambda takes', () => {
    const least = config({ deliveryConcurrency: 2 });
    expect(Math.min(...Object.values(queueConcurrency(least)))).toBe(2);
  });
});
