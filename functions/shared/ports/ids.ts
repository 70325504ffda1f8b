/** Identifiers, as a port: unique, sortable by creation time, safe in a URL. */
export interface Ids {
  /** e.g. `next('ext')` gives `ext_01JD...`. */
  next(prefix: string): string;
}
