import { allow, type GrantMaker } from './grant.ts';

/** The setting that lets owners post payments. */
export const grantTopUps: GrantMaker = ({ config }) => [{ environment: { TOP_UPS: config.topUps } }];

/** The secret that the payment provider signs with. */
export const grantPaymentWebhook: GrantMaker = ({ data: { paymentSecret } }) => [
  {
    statements: [allow(['secretsmanager:GetSecretValue'], [paymentSecret.secretArn])],
    environment: { PAYMENT_SECRET: paymentSecret.secretArn },
  },
];
