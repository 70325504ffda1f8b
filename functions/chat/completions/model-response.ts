import type * as z from 'zod';
import type { Application } from '../domain/application.ts';
import type { oneModel } from './schemas.ts';

/** The models of an application as OpenAI's clients list them: the one that answers. */
export function toModelResponses({ config, createdAt }: Application): z.output<typeof oneModel>[] {
  const created = Math.floor(Date.parse(createdAt) / 1000);
  return [{ id: config.model.name, object: 'model', created, owned_by: 'tripod' }];
}
