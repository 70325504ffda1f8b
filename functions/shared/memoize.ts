/** Makes a thing on first use, and only once. */
export function memoize<T>(make: () => T): () => T {
  let made: { readonly thing: T } | undefined;
  return () => {
    made ??= { thing: make() };
    return made.thing;
  };
}
