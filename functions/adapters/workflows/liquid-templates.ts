import { Liquid, LiquidError } from 'liquidjs';
import { NodeFailed } from '../../workflows/domain/run/node-effects.ts';

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

  async render(template: string, values: object): Promise<string> {
    try {
      const parsed = this.#parsed.get(template) ?? this.#keep(template);
      return String(this.#liquid.renderSync(parsed, values));
    } catch (error) {
      if (!(error instanceof LiquidError) && !isLimit(error)) throw error;
      const { message } = error as Error;
      const isBomb = /limit exceeded/i.test(message);
      throw new NodeFailed(
        isBomb ? 'template_limit' : 'template_failed',
        isBomb
          ? `The template takes more time or memory than one may (${MAX_RENDER_MS} ms, ${MAX_MEMORY} characters). Loop over less.`
          : `The template cannot be filled: ${message}.`,
        { cause: error },
      );
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
