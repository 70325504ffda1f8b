import type { Filled } from './filled-template.ts';
import { GLOBALS } from './jinja/globals.ts';
import { tokenize } from './jinja/lexer.ts';
import type { Part } from './jinja/loops.ts';
import { parseTemplate } from './jinja/parse-statements.ts';
import { Scope, Text } from './jinja/scope.ts';
import { fromJson, TemplateFault, TemplateLimit } from './jinja/values.ts';

/** The syntax error of a template, or its first unknown filter or test; null if it has none. */
export function jinjaFault(template: string): string | null {
  const compiled = attempt(() => parseTemplate(tokenize(template)));
  return 'fault' in compiled ? compiled.fault : null;
}

/** A template filled by an engine that interprets it: no template becomes a program. @param values as JSON has them */
export function fillJinja(template: string, values: object): Filled {
  const filled = attempt(() => textOf(parseTemplate(tokenize(template)), values));
  return 'value' in filled ? { text: filled.value } : filled;
}

function textOf(template: Part, values: object): string {
  const named = Object.entries(values).map(([name, value]) => [name, fromJson(value)] as const);
  const text = new Text();
  template(new Scope(new Scope(null, GLOBALS), named), text);
  return text.toString();
}

type Attempt<T> = { readonly value: T } | Exclude<Filled, { readonly text: string }>;

function attempt<T>(work: () => T): Attempt<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof TemplateFault) return { fault: error.message };
    if (error instanceof TemplateLimit) return { limit: true };
    if (error instanceof RangeError) return { fault: 'It nests too deeply, or a value is too large.' };
    throw error;
  }
}
