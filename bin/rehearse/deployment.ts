import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  paginateListExports,
  type StackResource,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import { forMoto } from './for-moto.ts';
import { type Moto, REGION } from './moto.ts';
import type { Templates } from './templates.ts';

const CAPABILITIES = ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM', 'CAPABILITY_AUTO_EXPAND'] as const;
/** Resources with data that an update must not replace. */
const KEPT = /^AWS::(DynamoDB::Table|KMS::Key|S3::Bucket|SQS::Queue)$/;

/** Deployments of whole versions into an emulated account. */
export class EmulatedAccount {
  readonly #client: CloudFormationClient;

  constructor({ url }: Pick<Moto, 'url'>) {
    const credentials = { accessKeyId: 'emulated', secretAccessKey: 'emulated' };
    this.#client = new CloudFormationClient({ endpoint: url, region: REGION, credentials, maxAttempts: 1 });
  }

  /** Creates every stack, one after another. @returns the number of resources. @throws Error that names the stack */
  async create(templates: Templates): Promise<number> {
    let resources = 0;
    for (const [part, template] of templates) {
      const stack = {
        StackName: part,
        TemplateBody: JSON.stringify(forMoto(template)),
        Capabilities: [...CAPABILITIES],
      };
      await this.#deploy(part, 'CREATE_COMPLETE', () => this.#client.send(new CreateStackCommand(stack)));
      resources += (await this.#resources(part)).length;
    }
    return resources;
  }

  /**
   * Updates every stack, and creates those that are new.
   * @returns the number of resources with data, all of which the update has kept
   * @throws Error that names the stack, or a resource with data that was replaced
   */
  async update(from: Templates, to: Templates): Promise<number> {
    const existing = new Set(from.map(([part]) => part));
    const before = await this.#withData(from);
    for (const [part, template] of to) {
      const stack = {
        StackName: part,
        TemplateBody: JSON.stringify(forMoto(template)),
        Capabilities: [...CAPABILITIES],
      };
      if (existing.has(part)) {
        await this.#deploy(part, 'UPDATE_COMPLETE', () => this.#client.send(new UpdateStackCommand(stack)));
        await this.#exportNew(part);
      } else await this.#deploy(part, 'CREATE_COMPLETE', () => this.#client.send(new CreateStackCommand(stack)));
    }
    const after = await this.#withData(to);
    for (const [name, id] of before)
      if (after.get(name) !== id) throw new Error(`The update replaced ${name}: ${id} became ${after.get(name)}.`);
    return before.size;
  }

  async #deploy(part: string, expected: string, send: () => Promise<unknown>): Promise<void> {
    await send().catch((error: Error) => {
      throw new Error(`The stack ${part} was refused: ${error.message}`);
    });
    const { Stacks = [] } = await this.#client.send(new DescribeStacksCommand({ StackName: part }));
    const [{ StackStatus, StackStatusReason = '' } = {}] = Stacks;
    if (StackStatus !== expected) throw new Error(`The stack ${part} is ${StackStatus}. ${StackStatusReason}`);
  }

  /** Exports what an update added to a stack, by one more stack: moto exports only when it creates. */
  async #exportNew(part: string): Promise<void> {
    const known = new Set<string | undefined>();
    for await (const { Exports = [] } of paginateListExports({ client: this.#client }, {}))
      for (const { Name } of Exports) known.add(Name);
    const { Stacks = [] } = await this.#client.send(new DescribeStacksCommand({ StackName: part }));
    const added = (Stacks[0]?.Outputs ?? []).filter(
      ({ ExportName }) => ExportName !== undefined && !known.has(ExportName),
    );
    if (added.length === 0) return;
    const Outputs = Object.fromEntries(
      added.map(({ OutputKey, OutputValue, ExportName }) => [
        OutputKey,
        { Value: OutputValue, Export: { Name: ExportName } },
      ]),
    );
    const Resources = { Exports: { Type: 'AWS::Logs::LogGroup' } };
    const StackName = `${part}-exports`;
    await this.#client.send(
      new CreateStackCommand({ StackName, TemplateBody: JSON.stringify({ Resources, Outputs }) }),
    );
  }

  async #resources(part: string): Promise<readonly StackResource[]> {
    const { StackResources = [] } = await this.#client.send(new DescribeStackResourcesCommand({ StackName: part }));
    return StackResources;
  }

  /** Ids of resources with data, by stack and logical id. */
  async #withData(templates: Templates): Promise<ReadonlyMap<string, string>> {
    const ids = new Map<string, string>();
    for (const [part] of templates)
      for (const { ResourceType = '', LogicalResourceId, PhysicalResourceId = '' } of await this.#resources(part))
        if (KEPT.test(ResourceType)) ids.set(`${part}.${LogicalResourceId}`, PhysicalResourceId);
    return ids;
  }
}
