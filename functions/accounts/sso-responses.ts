import type * as z from 'zod';
import { proofRecordName, proofRecordValue } from './domain/identity-provider.ts';
import type { ProviderSettings, ShownProvider } from './domain/manage-identity-provider.ts';
import type { ssoBody, ssoResult } from './sso-schemas.ts';

export function toSsoResponse({ provider, proved }: ShownProvider): z.output<typeof ssoResult>['data'] {
  const { issuer, clientId, domains, defaultRole, isRequired } = provider;
  return {
    issuer,
    client_id: clientId,
    default_role: defaultRole,
    required: isRequired,
    domains: domains.map(({ domain, token }) => ({
      domain,
      proved_at: proved.find((each) => each.domain === domain)?.provedAt ?? null,
      record_name: proofRecordName(domain),
      record_value: proofRecordValue(token),
    })),
  };
}

export function providerSettingsOf(body: z.output<typeof ssoBody>): ProviderSettings {
  const { issuer, client_id: clientId, client_secret: clientSecret, domains } = body;
  return { issuer, clientId, clientSecret, domains, defaultRole: body.default_role, isRequired: body.required };
}
