/** A fault that no input may cause. */
export class Finding extends Error {
  override name = 'Finding';
}
