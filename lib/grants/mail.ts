import { Arn } from 'aws-cdk-lib';
import { allow, type GrantMaker } from './grant.ts';

/** Sending as `mailFrom`; nothing where the deployment has no sender. */
export const grantMail: GrantMaker = ({ access }, { stack, config: { mailFrom, mailIdentity, webUrl } }) => {
  if (!access.mail || mailFrom === undefined || mailIdentity === undefined) return [];
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
