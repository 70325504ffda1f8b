import { useLayoutEffect, useRef, useState } from 'react';

/** Functions for children that are drawn again only when something of theirs changes: the same ones for good, which call those of the last rendering. */
export function useSameFunctions<Functions extends object>(functions: Functions): Functions {
  const latest = useRef(functions);
  useLayoutEffect(() => {
    latest.current = functions;
  });
  const [same] = useState(() => {
    const call =
      (name: string) =>
      (...values: unknown[]) =>
        (latest.current as Record<string, (...values: unknown[]) => unknown>)[name]!(...values);
    return Object.fromEntries(Object.keys(functions).map((name) => [name, call(name)])) as Functions;
  });
  return same;
}
