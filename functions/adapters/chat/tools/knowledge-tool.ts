import { sourceOf } from '../../../chat/domain/retrieve-knowledge.ts';
import { type Tool, ToolFailed } from '../../../chat/domain/tools/tool.ts';
import { type KnowledgeSearch, MAX_QUERY_LENGTH } from '../../../knowledge/domain/knowledge-search.ts';

const MAX_PASSAGES = 8;

/** Search in the knowledge bases of an application, with questions of the model's own. */
export function knowledgeTool(name: string, baseIds: readonly string[], knowledge: KnowledgeSearch): Tool {
  return {
    name,
    description:
      'Searches the documents of this application, and returns the passages that fit best, each with its source. Search ' +
      'again with other words when they do not answer the question.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to look for, as a question or a few words' } },
      required: ['query'],
    },
    async run({ query }, { workspaceId, signal }) {
      const asked = typeof query === 'string' ? query.trim().slice(0, MAX_QUERY_LENGTH) : '';
      if (asked === '') throw new ToolFailed('invalid_arguments', 'query must be a text that is not empty.');
      if (baseIds.length === 0)
        throw new ToolFailed('refused', 'The application has no knowledge bases. Set config.knowledge_bases.');
      const hits = await knowledge.search({ workspaceId, baseIds, query: asked, limit: MAX_PASSAGES, signal });
      if (hits.length === 0) return { text: 'Nothing was found.' };
      return { text: hits.map((hit, index) => `[${index + 1}] ${sourceOf(hit)}\n${hit.text}`).join('\n\n') };
    },
  };
}
