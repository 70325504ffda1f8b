import { deploymentName } from '../names.ts';
import { allow, type GrantMaker } from './grant.ts';

/** Signing access tokens, and replacing the key that does. */
export function grantSigning(...actions: readonly `secretsmanager:${string}`[]): GrantMaker {
  return ({ data: { signingKey }, config }) => [
    {
      statements: [allow(actions, [signingKey.secretArn])],
      environment: {
        SIGNING_KEY_SECRET: signingKey.secretArn,
        TOKEN_ISSUER: deploymentName(config),
        ACCESS_TOKEN_EXPIRE_MINUTES: String(config.accessTokenExpireMinutes),
        REFRESH_TOKEN_EXPIRE_DAYS: String(config.refreshTokenExpireDays),
        REGISTRATION: config.registration === 'on' ? '1' : '0',
        REGISTRATIONS_PER_ADDRESS: String(config.registrationsPerDayAndAddress),
        REGISTRATIONS_IN_ALL: String(config.registrationsPerDayInAll),
        EMAIL_CONFIRMATION: config.emailConfirmation === 'required' ? '1' : '0',
      },
    },
  ];
}
