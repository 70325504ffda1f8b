import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';
import { type AuditPorts, auditEntry, type Origin } from './audit.ts';
import { AuthRefused } from './auth-refused.ts';
import {
  clientSecretContext,
  domainOf,
  type IdentityProvider,
  type IdentityProviders,
  type OpenId,
  type ProvedDomain,
  proofRecordName,
  proofRecordValue,
} from './identity-provider.ts';
import type { Members } from './members.ts';

/** TXT records of the public domain name system. */
export interface TextRecords {
  /** None where the name does not exist. @throws AuthRefused where the name servers do not answer. */
  at(name: string): Promise<readonly string[]>;
}

export interface ManageProviderPorts extends AuditPorts {
  readonly providers: IdentityProviders;
  readonly openId: Pick<OpenId, 'check'>;
  readonly textRecords: TextRecords;
  readonly members: Pick<Members, 'list'>;
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly random: RandomBytes;
}

/** A provider with the proofs of its domains. */
export interface ShownProvider {
  readonly provider: IdentityProvider;
  /** Those of its domains that the workspace has proved. */
  readonly proved: readonly ProvedDomain[];
}

export interface ProviderSettings extends Pick<IdentityProvider, 'issuer' | 'clientId' | 'defaultRole' | 'isRequired'> {
  /** Absent: the stored one stays. */
  readonly clientSecret?: string | undefined;
  /** In their normal form. */
  readonly domains: readonly string[];
}

const TOKEN_BYTES = 24;

/** @throws AuthRefused where there is none. */
export async function providerOf(
  workspaceId: string,
  { providers }: Pick<ManageProviderPorts, 'providers'>,
): Promise<ShownProvider> {
  const provider = await providers.find(workspaceId);
  if (provider === null)
    throw new AuthRefused('sso_not_configured', 'The workspace has no identity provider. Configure one first.');
  return { provider, proved: await proofsOf(provider, providers) };
}

/** Stores the settings of a provider that answers. Domains that are no longer listed are free again. @throws AuthRefused */
export async function configureProvider(
  workspaceId: string,
  { clientSecret, domains, ...settings }: ProviderSettings,
  origin: Origin,
  ports: ManageProviderPorts,
): Promise<ShownProvider> {
  const { providers, secrets, random } = ports;
  const before = await providers.find(workspaceId);
  // A stored secret goes to no other issuer than the one that it was entered for.
  const isSame = before?.issuer === settings.issuer && before.clientId === settings.clientId;
  const kept = isSame ? before.clientSecret : undefined;
  if (clientSecret === undefined && kept === undefined)
    throw new AuthRefused('sso_secret_missing', 'client_secret: send it with a new issuer or client_id.');
  await ports.openId.check(settings.issuer);
  const known = new Map(before?.domains.map((each) => [each.domain, each]));
  const newToken = () => Buffer.from(random(TOKEN_BYTES)).toString('base64url');
  const after = {
    workspaceId,
    ...settings,
    version: (before?.version ?? 0) + 1,
    clientSecret:
      clientSecret === undefined ? kept! : await secrets.seal(clientSecret, clientSecretContext(workspaceId)),
    domains: domains.map((domain) => known.get(domain) ?? { domain, token: newToken() }),
  };
  const proved = before === null ? [] : await proofsOf(before, providers);
  const freed = proved.filter(({ domain }) => !domains.includes(domain));
  const { issuer, defaultRole, isRequired } = settings;
  const act = { workspaceId, action: 'sso.configured', target: null } as const;
  const details = { issuer, domains, defaultRole, isRequired };
  if (!(await providers.save(after, freed, auditEntry({ ...act, details }, origin, ports)))) throw changedMeanwhile();
  const stays = proved.filter((each) => !freed.includes(each));
  await endPasswordSessions(after, stays, ports);
  return { provider: after, proved: stays };
}

/** Members log in by password again; those without one ask for a reset. @throws AuthRefused */
export async function removeProvider(workspaceId: string, origin: Origin, ports: ManageProviderPorts): Promise<void> {
  const { provider, proved } = await providerOf(workspaceId, ports);
  const details = { issuer: provider.issuer };
  const audit = auditEntry({ workspaceId, action: 'sso.removed', target: null, details }, origin, ports);
  if (!(await ports.providers.remove(provider, proved, audit))) throw changedMeanwhile();
}

/**
 * Looks for the DNS records of all unproved domains. A domain has one holder: another workspace gets it only when the record of its
 * holder is gone, as after a sale of the domain.
 * @throws AuthRefused where one is missing; the others count nevertheless.
 */
export async function proveDomains(
  workspaceId: string,
  origin: Origin,
  ports: ManageProviderPorts,
): Promise<ShownProvider> {
  const { providers, textRecords } = ports;
  const { provider, proved } = await providerOf(workspaceId, ports);
  const fresh: ProvedDomain[] = [];
  let refusal: AuthRefused | null = null;
  for (const { domain, token } of provider.domains.filter((each) => !isAmong(each, proved))) {
    const records = await textRecords.at(proofRecordName(domain));
    const holder = await providers.proofOf(domain);
    if (!records.includes(proofRecordValue(token))) refusal ??= unproved(domain, token);
    else if (holder !== null && records.includes(proofRecordValue(holder.token))) refusal ??= taken(domain);
    else {
      const audit = auditEntry(
        { workspaceId, action: 'sso.domain_proved', target: null, details: { domain } },
        origin,
        ports,
      );
      const proof = { domain, token, workspaceId, provedAt: audit.createdAt };
      if (await providers.prove(proof, holder, provider, audit)) fresh.push(proof);
      else refusal ??= changedMeanwhile();
    }
  }
  await endPasswordSessions(provider, fresh, ports);
  if (refusal !== null) throw refusal;
  return { provider, proved: [...proved, ...fresh] };
}

/** Where the provider is required, sessions that started with a password must not outlive that. */
async function endPasswordSessions(
  { workspaceId, isRequired }: IdentityProvider,
  proved: readonly ProvedDomain[],
  { members, providers }: Pick<ManageProviderPorts, 'members' | 'providers'>,
): Promise<void> {
  if (!isRequired || proved.length === 0) return;
  const domains = proved.map(({ domain }) => domain);
  for (const user of await members.list(workspaceId))
    if (user.role !== 'owner' && domains.includes(domainOf(user.email) ?? '')) await providers.endSessions(user);
}

async function proofsOf(
  { workspaceId, domains }: IdentityProvider,
  providers: Pick<IdentityProviders, 'proofOf'>,
): Promise<readonly ProvedDomain[]> {
  const found = await Promise.all(domains.map(({ domain }) => providers.proofOf(domain)));
  return found.filter((proof): proof is ProvedDomain => proof?.workspaceId === workspaceId);
}

function isAmong({ domain }: { readonly domain: string }, proved: readonly ProvedDomain[]): boolean {
  return proved.some((each) => each.domain === domain);
}

function unproved(domain: string, token: string): AuthRefused {
  const [name, value] = [proofRecordName(domain), proofRecordValue(token)];
  return new AuthRefused(
    'sso_domain_unproved',
    `${domain} is not proved: publish the TXT record ${name} with the value ${value}, wait until it is visible, and ask again.`,
  );
}

function taken(domain: string): AuthRefused {
  return new AuthRefused(
    'sso_domain_taken',
    `${domain} belongs to another workspace, whose record is still published. Remove that record first.`,
  );
}

function changedMeanwhile(): AuthRefused {
  return new AuthRefused(
    'sso_changed',
    'The identity provider has changed since you read it. Read it again, and repeat.',
  );
}
