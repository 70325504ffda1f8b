const CERTIFICATE = 'arn:aws:acm:ap-northeast-2:111111111111:certificate/12345678-1234-1234-1234-123456789012';

/** Each of them turned on, and everything at once. */
export const OPTIONS: readonly Readonly<Record<string, unknown>>[] = [
  { mailFrom: '' },
  { alarmEmail: '' },
  { sandbox: 'fargate' },
  { reader: 'textract' },
  { waf: 'true' },
  { console: 'true' },
  { monthlyBudgetUsd: 100 },
  { domainName: 'api.example.com', certificateArn: CERTIFICATE },
  { socketDomainName: 'sockets.example.com', socketCertificateArn: CERTIFICATE },
  {
    consoleDomainName: 'console.example.com',
    consoleCertificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/12345678-1234-1234-1234-123456789012',
  },
  { chatModels: 'anthropic.claude-3-5-haiku-20241022-v1:0' },
  { dataKeyArn: 'arn:aws:kms:ap-northeast-2:111111111111:key/12345678-1234-1234-1234-123456789012' },
  { keepData: 'true' },
  { corsOrigins: 'https://app.example.com,https://b.example.com' },
  { answerConcurrency: 40 },
  { canaryMinutes: 5 },
  { inlineImages: 'container', intakeCertificateArn: CERTIFICATE },
];

/** A deployment with every option. */
export const EVERYTHING = {
  ...Object.assign({}, ...OPTIONS),
  mailFrom: 'alerts@tripod.example',
  alarmEmail: 'ops@example.com',
};
