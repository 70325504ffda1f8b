/** The same keys, each with what `make` makes of its value. */
export function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  make: (value: From, key: Key) => To,
): Record<Key, To> {
  const entries = Object.entries(record) as [Key, From][];
  return Object.fromEntries(entries.map(([key, value]) => [key, make(value, key)])) as Record<Key, To>;
}
