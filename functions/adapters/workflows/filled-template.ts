/** A template's text, or why there is none. */
export type Filled = { readonly text: string } | { readonly fault: string } | { readonly limit: true };
