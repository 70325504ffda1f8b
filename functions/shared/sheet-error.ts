/** A file that is not a spreadsheet, or one that cannot be read. The message says what to do instead. */
export class SheetError extends Error {
  override name = 'SheetError';
}
