import * as z from 'zod';
import type { SearchFormat } from './search-provider.ts';

/** As https://api-dashboard.search.brave.com/app/documentation/web-search describes it. */
export const braveSearch: SearchFormat = {
  parameters: (query, count) => ({ q: query, count: String(count), text_decorations: 'false' }),
  keyHeader: (key) => ({ 'x-subscription-token': key }),
  answer: z
    .object({
      web: z
        .object({
          results: z.array(
            z.object({ title: z.string(), url: z.string(), description: z.string().nullish() }).transform((result) => ({
              title: result.title,
              url: result.url,
              snippet: result.description ?? '',
            })),
          ),
        })
        .nullish(),
    })
    .transform(({ web }) => web?.results ?? []),
};
