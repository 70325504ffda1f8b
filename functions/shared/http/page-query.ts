import * as z from 'zod';

const MAX_PAGE_SIZE = 100;
const limitError = `must be a whole number from 1 to ${MAX_PAGE_SIZE}`;

/**
 * The query of a paged listing.
 * @param items the name of the listed items.
 * @param nextCursor the member of a page that holds the cursor.
 * @param cursor its form.
 * @param first the name of the items on the first page.
 */
export function pageQuery(items: string, nextCursor: string, cursor: RegExp, first = `the newest ${items}`) {
  return z.strictObject({
    limit: z.coerce
      .number({ error: limitError })
      .int(limitError)
      .min(1, limitError)
      .max(MAX_PAGE_SIZE, limitError)
      .default(50)
      .describe(`${items[0]?.toUpperCase()}${items.slice(1)} a page`),
    cursor: z
      .string()
      .regex(cursor, `must be the ${nextCursor} of an earlier page, unchanged`)
      .optional()
      .describe(`${nextCursor} of the page before; absent: ${first}`),
  });
}
