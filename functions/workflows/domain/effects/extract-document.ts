import type { JobCaller } from '../../../shared/ports/job-caller.ts';
import type { Json } from '../graph/graph.ts';
import { type NodeCall, NodeFailed, type NodeResult } from '../run/node-effects.ts';
import type { EffectPorts } from './effect-ports.ts';
import { fileOf, readFile } from './read-files.ts';

const MAX_FILES = 20;

/** The text of a document; of a list of documents a list of texts. */
export async function extractDocument(
  { config, run }: NodeCall,
  signal: AbortSignal,
  ports: Pick<EffectPorts, 'web' | 'documents'>,
): Promise<NodeResult> {
  const { file = null } = config;
  const caller = { tenant: run.workspaceId, signal };
  if (!Array.isArray(file)) {
    if (file === null || file === '')
      throw new NodeFailed('invalid_file', 'config.file is empty. Give the node a file, or branch around it.');
    const { text, pages } = await textOfFile(file, caller, ports);
    return { outputs: { text, pages } };
  }
  if (file.length > MAX_FILES)
    throw new NodeFailed('invalid_file', `config.file has ${file.length} files. Read at most ${MAX_FILES} at once.`);
  const read: { text: string; pages: number | null }[] = [];
  for (const each of file as readonly Json[]) read.push(await textOfFile(each, caller, ports));
  return { outputs: { text: read.map(({ text }) => text), pages: read.map(({ pages }) => pages) } };
}

type Caller = Required<JobCaller> & { readonly signal: AbortSignal };

async function textOfFile(value: Json, caller: Caller, ports: Pick<EffectPorts, 'web' | 'documents'>) {
  const file = fileOf(value, 'config.file');
  const { bytes, mimeType } = await readFile(file, caller.signal, ports);
  return ports.documents.read(bytes, { mimeType, name: file.name }, caller);
}
