/** An address that paths are appended to. The pattern tries no slash twice, however many there are. */
export function withoutTrailingSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '');
}
