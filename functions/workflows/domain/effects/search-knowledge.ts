import { MAX_QUERY_LENGTH } from '../../../knowledge/domain/knowledge-search.ts';
import { listField, numberField, textField } from '../graph/fields.ts';
import { DEFAULT_HITS } from '../graph/node-fields.ts';
import { type NodeCall, NodeFailed, type NodeResult, type NodeSurroundings } from '../run/node-effects.ts';
import type { EffectPorts } from './effect-ports.ts';

/** Searches knowledge bases for passages, as a list and as one text for prompts. */
export async function searchKnowledge(
  { config, run }: NodeCall,
  { signal, progress }: NodeSurroundings,
  { knowledge }: Pick<EffectPorts, 'knowledge'>,
): Promise<NodeResult> {
  const query = textField(config, 'query').slice(0, MAX_QUERY_LENGTH);
  const baseIds = listField(config, 'knowledge_base_ids').filter((id) => typeof id === 'string');
  const limit = numberField(config, 'top_k', DEFAULT_HITS);
  if (baseIds.length === 0)
    throw new NodeFailed(
      'not_connected',
      'config.knowledge_base_ids is empty. Name the knowledge bases of the workspace that are searched.',
    );
  const found = await knowledge.search({ workspaceId: run.workspaceId, baseIds, query, limit }, signal);
  const documents = found.map(({ id, title, score, snippet, source }) => ({
    ...{ id, title, score, snippet, source },
    // As other builders name them.
    content: snippet,
    metadata: { document_id: id, document_name: title, score, source },
  }));
  progress('knowledge_retrieved', { query, documents });
  const text = found.map(({ title, snippet }) => `[${title}]\n${snippet}`).join('\n\n');
  return { outputs: { documents, text } };
}
