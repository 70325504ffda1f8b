import * as z from 'zod';
import type { SearchFormat } from './search-provider.ts';

/** As https://docs.searxng.org/dev/search_api.html describes it. A key is for a proxy in front of the instance. */
export const searxngSearch: SearchFormat = {
  parameters: (query) => ({ q: query, format: 'json' }),
  keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
  answer: z
    .object({
      results: z.array(
        z.object({ title: z.string(), url: z.string(), content: z.string().nullish() }).transform((result) => ({
          title: result.title,
          url: result.url,
          snippet: result.content ?? '',
        })),
      ),
    })
    .transform(({ results }) => results),
};
