import type { Random } from '../../random.ts';
import type { DocumentType, Split } from '../../truth.ts';
import type { PlainTable } from '../plain-table.ts';

/** The texts of a paper above, in and below its table. */
export interface Paper {
  readonly title: string;
  readonly above: readonly string[];
  readonly tables: readonly PlainTable[];
  readonly below: readonly string[];
  readonly documentType: DocumentType;
  /** In em. */
  readonly width: number;
  /** Ground of a label, which has a frame around it. */
  readonly label?: string;
  readonly ink?: string;
  /** Two tables are side by side. */
  readonly beside?: boolean;
}

export type Writer = (random: Random, split: Split) => Paper;

/** A sum as papers print it. */
export function won(amount: number): string {
  return amount.toLocaleString('en-US');
}
