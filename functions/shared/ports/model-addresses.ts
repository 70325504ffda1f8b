/** Judges addresses before they are stored; a request judges them once more, with the name resolved. */
export interface ModelAddresses {
  /** @returns the fault of an address, as the end of a sentence; null if it may be used. */
  refusalOf(baseUrl: string): string | null;
}
