const PAGE = 100;

/** All items of a listing that comes in pages. */
export async function* paged<Item, Cursor>(
  page: (limit: number, before: Cursor | null) => Promise<readonly Item[]>,
  cursorOf: (item: Item) => Cursor,
): AsyncGenerator<Item> {
  for (let before: Cursor | null = null; ; ) {
    const items: readonly Item[] = await page(PAGE, before);
    yield* items;
    if (items.length < PAGE) return;
    before = cursorOf(items.at(-1)!);
  }
}
