/** One page of a listing, requested with one item more than a page holds: it shows whether there is another page. */
export function pageOf<Item>(
  found: readonly Item[],
  limit: number,
  cursorOf: (item: Item) => string,
): { readonly items: readonly Item[]; readonly nextCursor: string | null } {
  const items = found.slice(0, limit);
  return { items, nextCursor: found.length > limit ? cursorOf(items.at(-1)!) : null };
}
