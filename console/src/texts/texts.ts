import type { en } from './en.ts';

/** The same keys, other texts. */
export type Same<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Same<T[Key]> };

export type Texts = Same<typeof en>;
