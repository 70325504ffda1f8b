import { type AuditPorts, auditEntry, type Origin } from '../../accounts/domain/audit.ts';
import type { KnowledgeBases } from '../../knowledge/domain/knowledge-ports.ts';
import type { ModelAddresses } from '../../shared/ports/model-addresses.ts';
import type { RandomBytes } from '../../shared/ports/random-bytes.ts';
import type { SecretBox } from '../../shared/ports/secret-box.ts';
import { uuidV7 } from '../../shared/uuid.ts';
import {
  type Application,
  type ApplicationConfig,
  type ApplicationId,
  type ApplicationType,
  DEFAULT_CONFIG,
  type ModelConfig,
  modelsOf,
} from './application.ts';
import type { Applications } from './application-ports.ts';
import { ApplicationRefused } from './application-refused.ts';
import { sealTools, type ToolDraft } from './tools/seal-tools.ts';

/** A model as a client describes it; an absent key keeps the stored one of the same server. */
export type ModelDraft = Omit<ModelConfig, 'apiKey'> & { readonly apiKey: string | null | undefined };

export type ConfigDraft = Omit<ApplicationConfig, 'model' | 'fallbacks' | 'tools'> & {
  readonly model: ModelDraft;
  readonly fallbacks: readonly ModelDraft[];
  readonly tools: readonly ToolDraft[];
};

export interface ApplicationDraft {
  readonly name: string;
  readonly type: ApplicationType;
  readonly description: string;
  readonly config: Partial<ConfigDraft>;
}

export interface ApplicationChange extends Partial<Omit<ApplicationDraft, 'type'>> {
  /** The version that the client has read, by either name. Absent: any stored version. */
  readonly expected?: { readonly version?: number; readonly updatedAt?: string };
}

export interface ManagePorts extends AuditPorts {
  readonly applications: Applications;
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly addresses: ModelAddresses;
  readonly hasWebSearch: () => boolean;
  readonly bases: Pick<KnowledgeBases, 'findAll'>;
  readonly hasWorkflow: (workspaceId: string, workflowId: string) => Promise<boolean>;
  readonly random: RandomBytes;
}

/** @throws ApplicationRefused */
export async function createApplication(
  workspaceId: string,
  { name, type, description, config }: ApplicationDraft,
  origin: Origin,
  ports: ManagePorts,
): Promise<Application> {
  await requireBases(workspaceId, config.knowledgeBases, ports);
  await requireWorkflow({ workspaceId, type }, config.workflowId, ports);
  const nowMs = ports.clock.now();
  const applicationId = uuidV7(nowMs, ports.random);
  const at = new Date(nowMs).toISOString();
  const application: Application = {
    workspaceId,
    applicationId,
    name,
    type,
    description,
    config: await sealedConfig({ workspaceId, applicationId }, DEFAULT_CONFIG, config, ports),
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  const act = { workspaceId, action: 'application.created', target: applicationId, details: { name, type } } as const;
  if ((await ports.applications.create(application, auditEntry(act, origin, ports))) === 'name_taken')
    throw nameTaken(name);
  return application;
}

/** @throws ApplicationRefused */
export async function findApplication(
  id: ApplicationId,
  { applications }: Pick<ManagePorts, 'applications'>,
): Promise<Application> {
  return found(await applications.find(id));
}

function found(application: Application | null): Application {
  if (application !== null) return application;
  throw new ApplicationRefused('not_found', 'Application not found in this workspace. Check the id.');
}

/** @throws ApplicationRefused */
export async function changeApplication(
  id: ApplicationId,
  { expected, config, ...change }: ApplicationChange,
  origin: Origin,
  ports: ManagePorts,
): Promise<Application> {
  const seen = await findApplication(id, ports);
  if (expected?.version !== undefined && expected.version !== seen.version) throw changed();
  if (expected?.updatedAt !== undefined && Date.parse(expected.updatedAt) !== Date.parse(seen.updatedAt))
    throw changed();
  await requireBases(id.workspaceId, config?.knowledgeBases, ports);
  await requireWorkflow(seen, config?.workflowId, ports);
  const next: Application = {
    ...seen,
    ...change,
    config: config === undefined ? seen.config : await sealedConfig(id, seen.config, config, ports),
    version: seen.version + 1,
    // Two changes of one millisecond differ all the same: clients compare it.
    updatedAt: new Date(Math.max(ports.clock.now(), Date.parse(seen.updatedAt) + 1)).toISOString(),
  };
  // Names alone: prompts are the workspace's own, and secrets are among the values.
  const members = [...Object.keys(change), ...Object.keys(config ?? {}).map((member) => `config.${member}`)];
  const act = { workspaceId: id.workspaceId, action: 'application.changed', target: id.applicationId } as const;
  const audit = auditEntry({ ...act, details: { name: next.name, changed: members } }, origin, ports);
  const outcome = await ports.applications.replace(seen, next, audit);
  if (outcome === 'name_taken') throw nameTaken(next.name);
  if (outcome === 'changed') throw changed();
  return next;
}

/** @throws ApplicationRefused */
export async function removeApplication(
  id: ApplicationId,
  origin: Origin,
  { applications, ...ports }: Pick<ManagePorts, 'applications' | keyof AuditPorts>,
): Promise<void> {
  const seen = await findApplication(id, { applications });
  const act = { workspaceId: id.workspaceId, action: 'application.removed', target: id.applicationId } as const;
  const audit = auditEntry({ ...act, details: { name: seen.name } }, origin, ports);
  if (!(await applications.remove(seen, audit))) throw changed();
}

/** @throws ApplicationRefused when the workspace does not have all of them */
async function requireBases(
  workspaceId: string,
  baseIds: readonly string[] = [],
  { bases }: Pick<ManagePorts, 'bases'>,
): Promise<void> {
  if (baseIds.length === 0) return;
  const found = new Set((await bases.findAll(workspaceId, baseIds)).map(({ baseId }) => baseId));
  const unknown = baseIds.filter((baseId) => !found.has(baseId));
  if (unknown.length > 0)
    throw new ApplicationRefused(
      'unknown_knowledge_base',
      `config.knowledge_bases: your workspace has no knowledge base ${unknown.join(', ')}.`,
    );
}

/** @throws ApplicationRefused if it is another workspace's, or does not exist, or the application has no use for one */
async function requireWorkflow(
  { workspaceId, type }: Pick<Application, 'workspaceId' | 'type'>,
  workflowId: string | null | undefined,
  { hasWorkflow }: Pick<ManagePorts, 'hasWorkflow'>,
): Promise<void> {
  if (!workflowId) return;
  if (type === 'chat')
    throw new ApplicationRefused(
      'workflow_not_allowed',
      'config.workflow_id: an application of type chat answers by its model. Make one of type workflow or channel, or leave it out.',
    );
  if (await hasWorkflow(workspaceId, workflowId)) return;
  throw new ApplicationRefused(
    'unknown_workflow',
    `config.workflow_id: your workspace has no workflow ${workflowId}. Send the id of one of GET /api/v1/workflows.`,
  );
}

export interface ApplicationPage {
  readonly applications: readonly Application[];
  readonly nextCursor: string | null;
}

/** Newest first. */
export async function applicationPage(
  workspaceId: string,
  { limit, before }: { readonly limit: number; readonly before: string | null },
  { applications }: Pick<ManagePorts, 'applications'>,
): Promise<ApplicationPage> {
  // One more than requested shows whether there is another page, and keeps the last page from being empty.
  const found = await applications.list(workspaceId, limit + 1, before);
  const page = found.slice(0, limit);
  return { applications: page, nextCursor: found.length > limit ? page.at(-1)!.applicationId : null };
}

/** The context that secrets of an application are sealed for. */
export function secretContext({ workspaceId, applicationId }: ApplicationId): string {
  return `${workspaceId}/${applicationId}`;
}

/** Merges `config` into the stored one, with every new secret sealed. */
async function sealedConfig(
  id: ApplicationId,
  stored: ApplicationConfig,
  { model, fallbacks, tools, ...rest }: Partial<ConfigDraft>,
  ports: Pick<ManagePorts, 'secrets' | 'addresses' | 'hasWebSearch'>,
): Promise<ApplicationConfig> {
  const known = modelsOf(stored);
  const sealed = async ({ apiKey, ...draft }: ModelDraft, field: string): Promise<ModelConfig> => {
    const refusal = draft.baseUrl === null ? null : ports.addresses.refusalOf(draft.baseUrl);
    if (refusal !== null) throw new ApplicationRefused('invalid_base_url', `${field}.base_url ${refusal}.`);
    if (apiKey === undefined) return { ...draft, apiKey: known.find(isOfSameServer(draft))?.apiKey ?? null };
    return { ...draft, apiKey: apiKey === null ? null : await ports.secrets.seal(apiKey, secretContext(id)) };
  };
  return {
    ...stored,
    ...rest,
    ...(model && { model: await sealed(model, 'config.model') }),
    ...(fallbacks && {
      fallbacks: await Promise.all(fallbacks.map((each, i) => sealed(each, `config.model.fallbacks.${i}`))),
    }),
    ...(tools && { tools: await sealTools(tools, stored.tools, secretContext(id), ports) }),
  };
}

/** A stored key goes nowhere but to the server that it was given for: else a change of the address would give it away. */
const isOfSameServer =
  ({ provider, baseUrl }: Pick<ModelConfig, 'provider' | 'baseUrl'>) =>
  (stored: ModelConfig): boolean =>
    stored.provider === provider && stored.baseUrl === baseUrl;

function nameTaken(name: string): ApplicationRefused {
  return new ApplicationRefused(
    'name_taken',
    `Your workspace has an application named ${JSON.stringify(name)} already. Choose another name.`,
  );
}

function changed(): ApplicationRefused {
  return new ApplicationRefused(
    'changed',
    'The application has changed since you read it. Read it again, and send your change once more.',
  );
}
