import type { Clock } from '../../shared/ports/clock.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';
import {
  type Channel,
  type ChannelId,
  type ChannelSettings,
  type ChannelType,
  COMMON_SETTINGS,
  channelSecretContext,
  type SettingName,
  type StoredSecret,
} from './channel.ts';
import type { Channels } from './channel-ports.ts';
import { ChannelRefused } from './channel-refused.ts';
import { circuitOf } from './delivery/breaker.ts';
import { platforms } from './platforms/platforms.ts';

export interface ChannelDraft {
  readonly type: ChannelType;
  readonly name: string;
  readonly applicationId: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly settings: ChannelSettings;
}

export interface ChannelChange extends Partial<Pick<Channel, 'name' | 'applicationId' | 'status'>> {
  /** Replaced one by one. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Grace period in which replaced webhook secrets stay valid along with the new ones. */
  readonly overlapSeconds: number;
  /** Replaced one by one; null takes one away. */
  readonly settings?: SettingsChange;
}

export interface ManagePorts {
  readonly channels: Channels;
  readonly applications: { exists(workspaceId: string, applicationId: string): Promise<boolean> };
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly addresses: {
    /** @returns the fault of an address, as the end of a sentence; null if it may be used. */
    refusalOf(name: SettingName, address: string): string | null;
  };
  readonly ids: Ids;
  readonly clock: Clock;
}

/** @throws ChannelRefused */
export async function createChannel(workspaceId: string, draft: ChannelDraft, ports: ManagePorts): Promise<Channel> {
  const { type, name, applicationId, settings } = draft;
  requireSecrets(type, draft.secrets, true);
  requireSettings(type, settings, ports);
  await requireApplication(workspaceId, applicationId, ports);
  const channelId = ports.ids.next('chn');
  const at = new Date(ports.clock.now()).toISOString();
  const secrets = await Promise.all(
    Object.entries(draft.secrets).map(async ([secret, value]): Promise<[string, StoredSecret]> => {
      const sealed = await ports.secrets.seal(value, channelSecretContext({ workspaceId, channelId }));
      return [secret, { sealed, previous: null }];
    }),
  );
  const channel: Channel = {
    workspaceId,
    channelId,
    type,
    name,
    applicationId,
    settings,
    secrets: Object.fromEntries(secrets),
    status: 'active',
    disabledReason: null,
    problem: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  await ports.channels.create(channel);
  return channel;
}

/** @throws ChannelRefused */
export async function findChannel(
  { workspaceId, channelId }: ChannelId,
  { channels }: Pick<ManagePorts, 'channels'>,
): Promise<Channel> {
  const channel = await channels.find(channelId);
  if (channel === null || channel.workspaceId !== workspaceId)
    throw new ChannelRefused('not_found', 'Channel not found in this workspace. Check the id.');
  return channel;
}

export interface ChannelPage {
  readonly channels: readonly Channel[];
  readonly nextCursor: string | null;
}

/** Newest first. */
export async function channelPage(
  workspaceId: string,
  { limit, before }: { readonly limit: number; readonly before: string | null },
  { channels }: Pick<ManagePorts, 'channels'>,
): Promise<ChannelPage> {
  const found = await channels.list(workspaceId, limit + 1, before);
  const page = found.slice(0, limit);
  return { channels: page, nextCursor: found.length > limit ? page.at(-1)!.channelId : null };
}

/** @throws ChannelRefused */
export async function changeChannel(
  id: ChannelId,
  change: ChannelChange,
  ports: ManagePorts & {
    /** Called when replies that wait may be sent: the channel was broken, or has another address. */
    readonly onFreed?: () => Promise<void>;
  },
): Promise<Channel> {
  const seen = await findChannel(id, ports);
  const { name = seen.name, applicationId = seen.applicationId, status = seen.status } = change;
  const settings = mergedSettings(seen.settings, change.settings ?? {});
  requireSecrets(seen.type, change.secrets ?? {}, false);
  requireSettings(seen.type, settings, ports);
  if (applicationId !== seen.applicationId) await requireApplication(id.workspaceId, applicationId, ports);
  const next: Channel = {
    ...seen,
    name,
    applicationId,
    status,
    settings,
    secrets: await rotated(seen, change, ports),
    disabledReason: status === seen.status ? seen.disabledReason : null,
    // New secrets, settings or a new status clear the problem until the next refused reply.
    problem: change.secrets || change.settings || change.status ? null : seen.problem,
    version: seen.version + 1,
    updatedAt: new Date(ports.clock.now()).toISOString(),
  };
  if (!(await ports.channels.replace(seen, next))) throw changed();
  const isMended = seen.problem !== null && next.problem === null;
  if (isMended || circuitOf(seen) !== circuitOf(next)) await ports.onFreed?.();
  return next;
}

/** Disables a channel whose receiver wants no more messages. */
export async function disableChannel(
  channel: Channel,
  reason: string,
  { channels, clock }: Pick<ManagePorts, 'channels' | 'clock'>,
): Promise<void> {
  const updatedAt = new Date(clock.now()).toISOString();
  const version = channel.version + 1;
  // One that was changed meanwhile may name another receiver: it stays.
  await channels.replace(channel, { ...channel, status: 'disabled', disabledReason: reason, version, updatedAt });
}

/**
 * Records that the platform refuses a channel's credentials, or, with null, takes them again.
 * @returns true for the first refusal only.
 */
export async function recordCredentials(
  channel: Channel,
  refusal: { readonly code: string; readonly detail: string | null } | null,
  { channels, clock }: Pick<ManagePorts, 'channels' | 'clock'>,
): Promise<boolean> {
  const nowMs = clock.now();
  const problem =
    refusal === null
      ? null
      : { code: refusal.code, detail: refusal.detail, sinceMs: channel.problem?.sinceMs ?? nowMs, triedAtMs: nowMs };
  // One that was changed meanwhile may have other credentials: it stays.
  const isRecorded = await channels.replace(channel, { ...channel, problem, version: channel.version + 1 });
  return isRecorded && problem !== null && channel.problem === null;
}

/** @throws ChannelRefused */
export async function removeChannel(id: ChannelId, { channels }: Pick<ManagePorts, 'channels'>): Promise<void> {
  const seen = await findChannel(id, { channels });
  if (!(await channels.remove(seen))) throw changed();
}

async function rotated(
  seen: Channel,
  { secrets = {}, overlapSeconds }: ChannelChange,
  { clock, secrets: box }: ManagePorts,
): Promise<Channel['secrets']> {
  const next: Record<string, StoredSecret> = { ...seen.secrets };
  const { verifying } = platforms[seen.type].secrets;
  for (const [name, value] of Object.entries(secrets)) {
    const stored = seen.secrets[name];
    const keepsPrevious = stored !== undefined && verifying.includes(name) && overlapSeconds > 0;
    next[name] = {
      sealed: await box.seal(value, channelSecretContext(seen)),
      previous: keepsPrevious ? { sealed: stored.sealed, validUntilMs: clock.now() + overlapSeconds * 1000 } : null,
    };
  }
  return next;
}

/** Null takes a setting away. */
type SettingsChange = { readonly [Name in SettingName]?: ChannelSettings[Name] | null };

function mergedSettings(stored: ChannelSettings, change: SettingsChange): ChannelSettings {
  const merged = Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(merged) as ChannelSettings;
}

function requireSecrets(type: ChannelType, secrets: Readonly<Record<string, string>>, areAllNeeded: boolean): void {
  const platform = platforms[type];
  const { required, optional } = platform.secrets;
  const refuse = (name: string, what: string) => {
    throw new ChannelRefused('wrong_secret', `secrets.${name} ${what}.`);
  };
  for (const [name, value] of Object.entries(secrets)) {
    if (!required.includes(name) && !optional.includes(name))
      refuse(name, `is not known to ${type}: its secrets are ${[...required, ...optional].join(', ')}`);
    const problem = platform.secretProblem?.(name, value) ?? null;
    if (problem !== null) refuse(name, problem);
  }
  if (!areAllNeeded) return;
  for (const name of required) if (secrets[name] === undefined) refuse(name, `is needed by ${type}`);
}

function requireSettings(type: ChannelType, settings: ChannelSettings, { addresses }: ManagePorts): void {
  const { required, optional } = platforms[type].settings;
  const refuse = (name: string, what: string) => {
    throw new ChannelRefused('wrong_setting', `settings.${name} ${what}.`);
  };
  const known: readonly string[] = [...required, ...optional, ...COMMON_SETTINGS];
  for (const [name, value] of Object.entries(settings) as [SettingName, string | number][]) {
    if (!known.includes(name)) refuse(name, `is not known to ${type}: its settings are ${known.join(', ')}`);
    if (typeof value === 'number') continue;
    const isAddress = name === 'api_base_url' || name === 'url';
    const problem = isAddress ? addresses.refusalOf(name, value) : platforms[type].settingProblem?.(name, value);
    if (problem) refuse(name, problem);
  }
  for (const name of required) if (settings[name] === undefined) refuse(name, `is needed by ${type}`);
}

async function requireApplication(
  workspaceId: string,
  applicationId: string,
  { applications }: ManagePorts,
): Promise<void> {
  if (await applications.exists(workspaceId, applicationId)) return;
  throw new ChannelRefused(
    'application_not_found',
    'application_id names no application of your workspace. Create one at POST /api/v1/applications.',
  );
}

function changed(): ChannelRefused {
  return new ChannelRefused(
    'changed',
    'The channel has changed since you read it. Read it again, and send your change once more.',
  );
}
