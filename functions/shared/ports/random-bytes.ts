/** Unpredictable bytes for secrets, as a port. */
export type RandomBytes = (count: number) => Uint8Array;
