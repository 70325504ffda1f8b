/** What no input may do was done. */
export class Finding extends Error {
  override name = 'Finding';
}
