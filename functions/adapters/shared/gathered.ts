interface Waiting<Item> {
  readonly item: Item;
  readonly done: PromiseWithResolvers<void>;
}

/** Calls at the same time. */
const MAX_UNDER_WAY = 8;

/**
 * Gathers the items of calls at the same time: those that come while a call is under way go together in the next one. A full
 * call does not wait while few are under way.
 * @param max items of one call.
 * @param call @returns the items that failed.
 */
export function gathered<Item>(
  max: number,
  call: (items: readonly Item[]) => Promise<ReadonlyMap<Item, Error>>,
): (item: Item) => Promise<void> {
  const waiting: Waiting<Item>[] = [];
  let underWay = 0;

  async function send(some: readonly Waiting<Item>[]): Promise<void> {
    underWay += 1;
    try {
      const failed = await call(some.map(({ item }) => item));
      for (const { item, done } of some) {
        const error = failed.get(item);
        if (error === undefined) done.resolve();
        else done.reject(error);
      }
    } catch (error) {
      for (const { done } of some) done.reject(error);
    } finally {
      underWay -= 1;
      next();
    }
  }

  function next(): void {
    const isNext = () => (waiting.length >= max ? underWay < MAX_UNDER_WAY : waiting.length > 0 && underWay === 0);
    while (isNext()) void send(waiting.splice(0, max));
  }

  return (item) => {
    const done = Promise.withResolvers<void>();
    waiting.push({ item, done });
    // After this turn: what it asks for at once goes together.
    queueMicrotask(next);
    return done.promise;
  };
}
