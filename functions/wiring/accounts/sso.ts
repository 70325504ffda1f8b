import { randomBytes } from 'node:crypto';
import type { OpenId } from '../../accounts/domain/identity-provider.ts';
import type { ManageProviderPorts } from '../../accounts/domain/manage-identity-provider.ts';
import type { SignInPorts } from '../../accounts/domain/sign-in.ts';
import { systemClock, ulidIds } from '../../adapters/shared/system-ports.ts';
import { environment } from '../../shared/environment.ts';
import { memoizeAsync } from '../../shared/memoize-async.ts';
import { secretBox } from '../shared/secret-box.ts';
import { identityProviders, members, users } from './auth.ts';

/** Loaded with the first use: routes that only read the settings need no client. */
function openId(): OpenId {
  const client = memoizeAsync(async () => {
    const { OpenIdClient } = await import('../../adapters/accounts/openid-client.ts');
    return new OpenIdClient({ allowLoopback: environment('TRIPOD_LOCAL').TRIPOD_LOCAL });
  });
  return {
    check: async (issuer) => (await client()).check(issuer),
    authorizationUrl: async (...flow) => (await client()).authorizationUrl(...flow),
    identityOf: async (...response) => (await client()).identityOf(...response),
  };
}

export function manageProviderPorts(): ManageProviderPorts {
  return {
    providers: identityProviders(),
    openId: openId(),
    members: members(),
    secrets: secretBox(),
    textRecords: {
      at: async (name) => (await import('../../adapters/accounts/dns-text-records.ts')).dnsTextRecords.at(name),
    },
    random: randomBytes,
    clock: systemClock,
    ids: ulidIds,
  };
}

export function signInPorts(): SignInPorts {
  return {
    providers: identityProviders(),
    openId: openId(),
    users: users(),
    members: members(),
    secrets: secretBox(),
    random: randomBytes,
    clock: systemClock,
    ids: ulidIds,
  };
}
