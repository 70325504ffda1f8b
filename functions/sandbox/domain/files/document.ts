/** A stretch of text in one style. */
export interface Run {
  readonly text: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isStruck: boolean;
  readonly isCode: boolean;
  /** Address of a link: https, http or mailto. */
  readonly link: string | null;
}

export type Alignment = 'left' | 'center' | 'right';

export interface Table {
  readonly kind: 'table';
  /** By column. */
  readonly alignments: readonly Alignment[];
  /** The head first; each with a cell for every column. */
  readonly rows: readonly (readonly (readonly Run[])[])[];
}

export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3 | 4 | 5 | 6; readonly runs: readonly Run[] }
  | { readonly kind: 'paragraph'; readonly runs: readonly Run[] }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  /** `start`: the first number; null for bullets. */
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'rule' }
  | Table;

/** A text with its structure, before it becomes a file of some kind. */
export interface Document {
  readonly title: string | null;
  readonly blocks: readonly Block[];
}
