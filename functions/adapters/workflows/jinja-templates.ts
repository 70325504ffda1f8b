import type { Filled } from './filled-template.ts';
import { GLOBALS } from './jinja/globals.ts';
import { tokenize } from './jinja/lexer.ts';
import type { Part } from './jinja/loops.ts';
import { parseTemplate } from './jinja/parse-statements.ts';
import { Scope, Text } from './jinja/scope.ts';
import { fromJson, TemplateFault } from './jinja/values.ts';

/** The syntax error of a template, or its first unknown filter or test; null if it has none. */
export function jinjaFault(template: string): string | null {
  const compiled = attempt(() => parseTemplate(tokenize(template)));
  return 'fault' in compiled ? compiled.fault : null;
}

/** A template filled by an engine that interprets it: no template becomes a program. @param values as JSON has them */
export function fillJinja(template: string, values: object): Filled {
  const filled = attempt(() => textOf(parseTemplate(tokenize(template)), values));
  return 'fault' in filled ? filled : { text: filled.value };
}

function textOf(template: Part, values: object): string {
  const named = Object.entries(values).map(([name, value]) => [name, fromJson(value)] as const);
  const text = new Text();
  template(new Scope(new Scope(null, GLOBALS), named), text);
  return text.toString();
}

function attempt<T>(work: () => T): { readonly value: T } | { readonly fault: string } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof TemplateFault) return { fault: error.message };
    if (error instanceof RangeError) return { fault: 'It nests too deeply, or a value is too large.' };
    throw error;
  }
}
