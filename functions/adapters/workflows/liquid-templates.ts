import { Liquid, LiquidError } from 'liquidjs';
import type { Filled } from './filled-template.ts';

const MAX_TEMPLATE_LENGTH = 100_000;
/** Of one rendering; a template of ordinary size takes a millisecond. */
const MAX_RENDER_MS = 250;
/** Characters and entries that one rendering may make. */
const MAX_MEMORY = 8_000_000;
const MAX_KEPT = 200;
/** Their patterns take quadratic time on texts that are made for it. */
const SLOW_FILTERS = ['strip_html', 'normalize_whitespace', 'slugify', 'date', 'date_to_string', 'date_to_long_string'];

/** Templates in Liquid, without files, with bounds on time and memory. */
export class LiquidTemplates {
  readonly #liquid = new Liquid({
    // Nothing is read from a disk: there are no other templates.
    templates: {},
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: MAX_TEMPLATE_LENGTH,
    renderLimit: MAX_RENDER_MS,
    memoryLimit: MAX_MEMORY,
  });
  readonly #parsed = new Map<string, ReturnType<Liquid['parse']>>();

  constructor() {
    for (const name of SLOW_FILTERS) delete this.#liquid.filters[name];
  }

  /** The syntax error of a template; null if it has none. */
  faultOf(template: string): string | null {
    try {
      this.#keep(template);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  fill(template: string, values: object): Filled {
    try {
      const parsed = this.#parsed.get(template) ?? this.#keep(template);
      return { text: String(this.#liquid.renderSync(parsed, values)) };
    } catch (error) {
      if (!(error instanceof LiquidError) && !isLimit(error)) throw error;
      const { message } = error as Error;
      return isLimit(error) ? { limit: true } : { fault: `${message}.` };
    }
  }

  #keep(template: string): ReturnType<Liquid['parse']> {
    const parsed = this.#liquid.parse(template);
    if (this.#parsed.size >= MAX_KEPT) this.#parsed.clear();
    this.#parsed.set(template, parsed);
    return parsed;
  }
}

function isLimit(error: unknown): boolean {
  return error instanceof Error && /limit exceeded/i.test(error.message);
}
