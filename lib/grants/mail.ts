import { Arn } from 'aws-cdk-lib';
import type { Config } from '../config.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Sending as `mailFrom`; nothing where the deployment has no sender. */
export const grantMail: GrantMaker = ({ stack, config }) => {
  const { mailFrom, mailIdentity } = config;
  if (mailFrom === undefined || mailIdentity === undefined) return [];
  const webUrl = webUrlOf(config);
  const identity = Arn.format({ service: 'ses', resource: 'identity', resourceName: mailIdentity }, stack);
  return [
    {
      // A message that is already composed needs the second, in the newer API too.
      statements: [
        allow(['ses:SendEmail', 'ses:SendRawEmail'], [identity], { StringEquals: { 'ses:FromAddress': mailFrom } }),
      ],
      environment: { MAIL_FROM: mailFrom, ...(webUrl !== undefined && { WEB_URL: webUrl }) },
    },
  ];
};

/** Where the console is, unless an option names another frontend; unknown where CloudFront chooses its name. */
function webUrlOf({ webUrl, console, consoleDomainName }: Config): string | undefined {
  return webUrl ?? (console && consoleDomainName !== undefined ? `https://${consoleDomainName}` : undefined);
}
