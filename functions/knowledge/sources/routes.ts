import { queue, table } from '../../shared/access.ts';
import { envelopeOf } from '../../shared/http/envelope.ts';
import { managed } from '../../shared/http/managed-route.ts';
import type { Route } from '../../shared/http/route.ts';
import { perMinute } from '../../shared/limits/base-limits.ts';
import { baseParams } from '../bases/schemas.ts';
import { knowledgeSource, sourceBody, sourceList, sourceParams } from './schemas.ts';

const sourcesPath = '/api/v1/knowledge-bases/{id}/sources';
const sourcePath = `${sourcesPath}/{source_id}` as const;

export const addSourceRoute = {
  ...managed,
  id: 'knowledge.add-source',
  method: 'POST',
  path: sourcesPath,
  role: 'admin',
  doc: {
    summary: 'Add a website, or objects in S3, as a source of documents',
    description:
      'Its pages become documents in the background, now and by its schedule: a page that has changed replaces its document, and one ' +
      'that went away is removed. A source that is sent again gets its new settings and is read at once. robots.txt is honoured. ' +
      'A workspace reads one source at a time; at most 10 sources for a base and 50 for a workspace.',
  },
  params: baseParams,
  body: sourceBody,
  rateLimits: [{ limit: perMinute('sources', 20), per: 'principal' }],
  responses: {
    200: { description: 'The source of this place, with its new settings', schema: envelopeOf(knowledgeSource) },
    201: { description: 'The source, waiting to be read', schema: envelopeOf(knowledgeSource) },
    409: { description: 'too_many_sources; changed: the source was changed at the same moment' },
  },
  access: [table('knowledge', 'GetItem', 'PutItem', 'Query', 'UpdateItem'), queue('crawls', 'send')],
} as const satisfies Route;

export const listSourcesRoute = {
  ...managed,
  id: 'knowledge.list-sources',
  method: 'GET',
  path: sourcesPath,
  doc: {
    summary: 'The sources of a knowledge base',
    description: 'With the state of each, and why its last crawl failed.',
  },
  params: baseParams,
  responses: { 200: { description: 'All sources', schema: envelopeOf(sourceList) } },
  access: [table('knowledge', 'GetItem', 'Query')],
} as const satisfies Route;

export const getSourceRoute = {
  ...managed,
  id: 'knowledge.get-source',
  method: 'GET',
  path: sourcePath,
  doc: { summary: 'One source of a knowledge base' },
  params: sourceParams,
  responses: { 200: { description: 'The source', schema: envelopeOf(knowledgeSource) } },
  access: [table('knowledge', 'GetItem')],
} as const satisfies Route;

export const removeSourceRoute = {
  ...managed,
  id: 'knowledge.remove-source',
  method: 'DELETE',
  path: sourcePath,
  role: 'admin',
  doc: {
    summary: 'Remove a source with its documents',
    description: 'It is read no more. The documents that it has made are removed in the background, within minutes.',
  },
  params: sourceParams,
  responses: {
    204: { description: 'Removed' },
    409: { description: 'changed: the source was changed at the same moment' },
  },
  access: [table('knowledge', 'GetItem', 'PutItem', 'UpdateItem'), queue('crawls', 'send')],
} as const satisfies Route;

export const sourceRoutes: readonly Route[] = [addSourceRoute, listSourcesRoute, getSourceRoute, removeSourceRoute];
