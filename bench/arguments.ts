/** Values of command-line options, checked; the messages name the option and what it can be. */

export function oneOf<T extends string>(allowed: readonly T[], value: string, option: string): T {
  const found = allowed.find((one) => one === value);
  if (!found) throw new Error(`${option} is ${JSON.stringify(value)}; it can be ${allowed.join(', ')}.`);
  return found;
}

export function wholeNumber(value: string, option: string): number {
  if (!/^\d+$/.test(value)) throw new Error(`${option} is ${JSON.stringify(value)}, not a whole number.`);
  return Number(value);
}
