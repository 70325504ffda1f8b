import { ExtractRefused } from './extract-refused.ts';
import type { ReaderName, Template } from './reading/template.ts';

export const DEFAULT_TEMPLATE_ID = 'default';

/**
 * The kinds of sheet that a client may name by `templateId`. `default` knows the header words that are in general use and expects
 * no order of columns.
 */
const TEMPLATES: readonly Template[] = [{ id: DEFAULT_TEMPLATE_ID, headerWords: {}, columnOrder: null }];

/** Readers that templates ask for. */
export const templateReaders: readonly ReaderName[] = TEMPLATES.flatMap(({ reader }) => reader ?? []);

export const templateIds: readonly string[] = TEMPLATES.map(({ id }) => id);

/** @returns null when no template has this id. */
export function findTemplate(id: string): Template | null {
  return TEMPLATES.find((template) => template.id === id) ?? null;
}

/** @throws ExtractRefused 'unknown_template' */
export function knownTemplate(id: string): Template {
  const template = findTemplate(id);
  if (template !== null) return template;
  throw new ExtractRefused('unknown_template', `There is no template ${JSON.stringify(id)}.`, { known: templateIds });
}
