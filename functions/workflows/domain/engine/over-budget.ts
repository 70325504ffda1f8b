import type { GraphSettings } from '../graph/graph.ts';
import type { Cost } from './engine-events.ts';

/** The excess of a run over its budget, as a sentence for its author; null within the budget. */
export function overBudget(
  { krw, promptTokens, completionTokens }: Cost,
  { maxKrw = Number.POSITIVE_INFINITY, maxTokens = Number.POSITIVE_INFINITY }: GraphSettings,
): string | null {
  const tokens = promptTokens + completionTokens;
  if (krw > maxKrw)
    return `The run has cost ${krw} KRW, and ${maxKrw} are allowed. Do less, or raise settings.max_krw.`;
  if (tokens > maxTokens)
    return `The run has used ${tokens} tokens, and ${maxTokens} are allowed. Ask less, or raise settings.max_tokens.`;
  return null;
}
