import { parse, stringify } from 'yaml';
import { SOURCE_FORM as FORM } from '../functions/workflows/source-route.ts';
import type { ExampleService } from './workflow-example.ts';

export interface WorkflowFile {
  /** Null: it is to be made. */
  readonly id: string | null;
  readonly name: string;
  readonly description: string;
  readonly graph: object;
}

/** A workflow as a file for Git: members in one order, texts of several lines as blocks, without the values of secrets. */
export function writeWorkflowFile({ id, name, description, graph }: WorkflowFile): string {
  const file = { form: FORM, ...(id !== null && { id }), name, description, graph };
  return stringify(file, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** @throws Error that names the fault of the file */
export function readWorkflowFile(text: string): WorkflowFile {
  const file = parse(text, { maxAliasCount: 50, schema: 'core' }) as Partial<WorkflowFile & { form: string }> | null;
  if (file?.form !== FORM)
    throw new Error(`The file is not a workflow: its form must be ${FORM}. Make one by npm run workflow -- pull <id>.`);
  const { id = null, name, description = '', graph } = file;
  if (typeof name !== 'string' || typeof graph !== 'object' || graph === null)
    throw new Error('The file must have a name and a graph.');
  return { id, name, description, graph };
}

/** The file of a stored workflow. */
export async function pullWorkflow(service: ExampleService, id: string): Promise<string> {
  const { name, description, graph } = await send<WorkflowFile>(service, 'GET', `/workflows/${id}`);
  return writeWorkflowFile({ id, name, description, graph });
}

/** Makes what a file describes the draft of its workflow, or a new workflow. @returns the file as it is stored */
export async function pushWorkflow(service: ExampleService, file: string): Promise<Pushed> {
  const { id, ...body } = readWorkflowFile(file);
  const stored =
    id === null
      ? await send<{ id: string }>(service, 'POST', '/workflows', body)
      : await send<{ id: string }>(service, 'PUT', `/workflows/${id}/source`, { source: file });
  const [text, { issues }] = await Promise.all([
    pullWorkflow(service, stored.id),
    send<{ readonly issues: readonly Issue[] }>(service, 'POST', `/workflows/${stored.id}/validate`, {}),
  ]);
  return { text, faults: issues.filter(({ severity }) => severity === 'error').map(({ message }) => message) };
}

interface Issue {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export interface Pushed {
  /** The file, with the workflow's id. */
  readonly text: string;
  /** Faults that keep the draft from being published. */
  readonly faults: readonly string[];
}

/** Lines that a file has and its stored workflow has not (+), and the other way round (-). Empty when they are the same. */
export async function diffWorkflow(service: ExampleService, text: string): Promise<string> {
  const file = readWorkflowFile(text);
  if (file.id === null) throw new Error('The file names no id: it has not been pushed yet.');
  return lineDiff(await pullWorkflow(service, file.id), writeWorkflowFile(file));
}

/** Of the lines between the first and the last difference. */
function lineDiff(before: string, after: string): string {
  const [old, next] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end)) end += 1;
  const removed = old.slice(start, old.length - end).map((line) => `- ${line}`);
  const added = next.slice(start, next.length - end).map((line) => `+ ${line}`);
  if (removed.length + added.length === 0) return '';
  return [`@@ line ${start + 1} @@`, ...removed, ...added].join('\n');
}

/** @throws Error with the message of a refusal */
export async function send<Data>(
  { url, apiKey }: ExampleService,
  method: string,
  path: string,
  body?: object,
): Promise<Data> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data, message } = (await response.json()) as { readonly data: Data; readonly message: string };
  if (!response.ok) throw new Error(message);
  return data;
}
