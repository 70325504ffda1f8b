import * as z from 'zod';

const MOST_A_PAGE = 100;
const limitError = `must be a whole number from 1 to ${MOST_A_PAGE}`;

/**
 * The query of a listing that comes in pages.
 * @param items what is listed. @param nextCursor the member of a page that holds the cursor.
 * @param placeOf the place after which a page begins; null when a cursor is none of ours.
 */
export function pageQuery<Place>(items: string, nextCursor: string, placeOf: (cursor: string) => Place | null) {
  return z.object({
    limit: z.coerce
      .number({ error: limitError })
      .int(limitError)
      .min(1, limitError)
      .max(MOST_A_PAGE, limitError)
      .default(50)
      .describe(`${items[0]?.toUpperCase()}${items.slice(1)} a page`),
    cursor: z
      .string()
      .transform((cursor, { addIssue }) => {
        const place = placeOf(cursor);
        if (place === null) addIssue(`must be the ${nextCursor} of an earlier page, unchanged`);
        return place;
      })
      .optional()
      .describe(`${nextCursor} of the page before; absent: the newest ${items}`),
  });
}
