/** The engine that reads a page's tables. */
export type ReaderName = 'embedded' | 'textract' | 'bedrock';

/** The expected form of a sheet; named by `templateId` and reported as `meta.template`. */
export interface Template {
  readonly id: string;
  /** Header words by field, in addition to the built-in synonyms. */
  readonly headerWords: Partial<Record<TableField, readonly string[]>>;
  /** Column order to fall back on when no header row can be read. */
  readonly columnOrder: readonly TableField[] | null;
  /** Reader of these sheets on AWS, where it is not the deployment's. */
  readonly reader?: ReaderName;
  /** A vision model's instructions, instead of the general request. */
  readonly prompt?: string;
}

/** The columns that a drug table may have. `timesPerDay` enters the arithmetic only. */
export type TableField =
  | 'drugCode'
  | 'drugName'
  | 'quantity'
  | 'timesPerDay'
  | 'days'
  | 'prescribedQty'
  | 'unitPrice'
  | 'totalAmount';
