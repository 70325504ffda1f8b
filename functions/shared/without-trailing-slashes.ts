/** An address that paths are appended to. The pattern looks at no slash twice, however many there are. */
export function withoutTrailingSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, '');
}
