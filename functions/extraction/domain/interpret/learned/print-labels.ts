import type { Box } from '../../reading/table-reader.ts';
import type { Print } from '../print.ts';
import { ROLES, type Role } from './roles.ts';
import type { TableOdds } from './table-network.ts';

/** The network's opinion of one print. */
export interface PrintLabel {
  readonly text: string;
  /** In the page as it was read. */
  readonly box: Box;
  readonly role: Role;
  /** Of that role, 0 to 1. */
  readonly chance: number;
  /** Index of the network's line that the print is a part of; null: none. */
  readonly line: number | null;
}

/** The likeliest role of each print, in their order. @param lineOf of each print the index of its line. */
export function labelsOf(
  prints: readonly Print[],
  { roles }: TableOdds,
  lineOf: readonly (number | null)[],
): readonly PrintLabel[] {
  return prints.map(({ text, box }, index) => {
    const logits = roles.subarray(index * ROLES.length, (index + 1) * ROLES.length);
    const best = logits.reduce((top, logit, at) => (logit > logits[top]! ? at : top), 0);
    const chance = 1 / logits.reduce((sum, logit) => sum + Math.exp(logit - logits[best]!), 0);
    return { text, box, role: ROLES[best]!, chance, line: lineOf[index] ?? null };
  });
}
