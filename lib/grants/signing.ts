import { deploymentName } from '../names.ts';
import { allowUsed, type GrantMaker } from './grant.ts';

/** Signing access tokens, and replacing the key that does. */
export const grantSigning: GrantMaker = (entry, { data, config }) => {
  const { access } = entry;
  if (access.signing === undefined) return [];
  const { secretArn } = data.signingKey;
  const actions = [
    'secretsmanager:GetSecretValue',
    ...(access.signing === 'rotate' ? ['secretsmanager:PutSecretValue'] : []),
  ];
  return [
    {
      statements: allowUsed(entry, 'secrets', actions, [secretArn]),
      environment: {
        SIGNING_KEY_SECRET: secretArn,
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
};
