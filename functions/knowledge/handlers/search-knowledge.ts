import { bufferedHandler } from '../../shared/http/buffered-handler.ts';
import { pipeline } from '../../shared/http/pipeline.ts';
import { bases, http, knowledge } from '../../wiring/knowledge/bases.ts';
import { searchKnowledgeRoute } from '../bases/routes.ts';
import { searchReply } from '../bases/search-reply.ts';

export const handler = bufferedHandler(
  pipeline(searchKnowledgeRoute, http, searchReply({ bases: bases(), knowledge: knowledge() })),
);
