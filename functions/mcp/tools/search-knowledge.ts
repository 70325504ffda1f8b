import type * as z from 'zod';
import { searchKnowledgeRoute } from '../../knowledge/bases/routes.ts';
import { parse } from '../../shared/http/parse-input.ts';
import { searchKnowledgeArguments } from '../schemas.ts';
import { jsonOutput, type ToolDefinition } from './tool.ts';

export const searchKnowledge: ToolDefinition = {
  kind: 'search_knowledge',
  name: 'search_knowledge',
  title: 'Search a knowledge base',
  description:
    'Finds the passages of a knowledge base of the workspace that fit a question best, with their documents, pages and headings. Korean is ' +
    'found with any endings. GET /api/v1/knowledge-bases lists the ids of bases.',
  arguments: searchKnowledgeArguments,
  route: searchKnowledgeRoute,
  isReadOnly: true,
  isOpenWorld: false,
  toInput(args) {
    const { base, ...body } = parse(searchKnowledgeArguments, args, 'the arguments') as z.output<
      typeof searchKnowledgeArguments
    >;
    return { params: { id: base }, body };
  },
  toOutput: (body) => jsonOutput((body as { readonly data: Record<string, unknown> }).data),
};
