import { yellow } from './finding.ts';
import { type JudgedTable, summarise } from './judge-table.ts';
import { reviewNote } from './review-notes.ts';

const MORE_PAGES = yellow('table_incomplete.more_pages', {});

/** The lines of a document with more pages than the one that was read: it is incomplete, and its last line says so. */
export function lacksPages({ items, findings }: JudgedTable): JudgedTable {
  const last = items.length - 1;
  const noted = items.map((item, index) => {
    if (index !== last) return item;
    const status = item.status === 'GREEN' ? 'YELLOW' : item.status;
    return { ...item, status, needsReview: true, review: [...item.review, reviewNote(MORE_PAGES, 'en')] };
  });
  const { kind, parameters } = MORE_PAGES;
  return {
    items: noted,
    findings: findings.map((line, index) => (index === last ? [...line, { kind, parameters }] : line)),
    summary: summarise(noted, false),
  };
}
