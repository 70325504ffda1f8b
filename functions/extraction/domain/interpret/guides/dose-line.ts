import type { Box, Reading } from '../../reading/table-reader.ts';
import type { TableField } from '../../reading/template.ts';

/** The pairs of one line, or of one that is wrapped: what each label announces, and the value behind it. */
export interface DoseLine {
  readonly values: ReadonlyMap<TableField, Reading>;
  readonly box: Box;
  /** Whether it says its values in words, without labels. */
  readonly worded: boolean;
}
