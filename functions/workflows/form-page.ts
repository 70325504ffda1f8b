import type { PendingDecision } from './domain/engine/engine-events.ts';
import { isObject, type Json, type JsonObject } from './domain/graph/graph.ts';
import { type StartField, startFields } from './domain/graph/node-fields.ts';
import { textOf } from './domain/graph/references.ts';

/** The address is a secret: no other site may learn it, or show the page in a frame. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** Browsers ask for pages, programs for JSON. */
export function wantsPage(accept: string | undefined): boolean {
  return accept?.includes('text/html') === true;
}

export function formPage({ node, message, untilMs }: PendingDecision): string {
  const fields = startFields(node).map((field) => {
    const own = node.config.fields;
    const found = Array.isArray(own) ? own.find((each: Json) => isObject(each) && each.name === field.name) : null;
    const label = isObject(found) && typeof found.label === 'string' ? found.label : field.name;
    return `<p><label>${escaped(label)}${field.required ? ' *' : ''}<br>${control(field)}</label></p>`;
  });
  return page(
    node.title,
    `<p class="message">${escaped(textOf(message))}</p>
<form method="post">${fields.join('\n')}<p><button>OK</button></p></form>
<p><small>→ ${new Date(untilMs).toISOString().slice(0, 16).replace('T', ' ')} UTC</small></p>`,
  );
}

export function thanksPage(title: string): string {
  return page(title, '<p>감사합니다. / Thank you.</p>');
}

function page(title: string, content: string): string {
  return `<!doctype html><html lang="ko"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:2em auto;padding:0 1em}
.message{white-space:pre-wrap}textarea,select,input[type=text],input[type=number]{width:100%;font:inherit;box-sizing:border-box}</style>
<h1>${escaped(title)}</h1>${content}</html>`;
}

function control({ name, type, required, defaultValue, options }: StartField): string {
  const shared = `name="${escaped(name)}"${required && type !== 'boolean' ? ' required' : ''}`;
  const value = escaped(textOf(defaultValue));
  switch (type) {
    case 'number':
      return `<input type="number" step="any" ${shared} value="${value}">`;
    case 'boolean':
      return `<input type="checkbox" ${shared}${defaultValue === true ? ' checked' : ''}>`;
    case 'select': {
      const choices = options.map(
        (each) => `<option${each === defaultValue ? ' selected' : ''}>${escaped(each)}</option>`,
      );
      return `<select ${shared}>${required ? '' : '<option></option>'}${choices.join('')}</select>`;
    }
    case 'file':
      return `<input type="text" ${shared} placeholder="https://">`;
    default:
      return `<textarea rows="3" ${shared}>${value}</textarea>`;
  }
}

/** A page's values, converted to the types of the fields; others are left for the check. */
export function sentValues(sent: URLSearchParams, fields: readonly StartField[]): JsonObject {
  const values = fields.flatMap(({ name, type }): [string, Json][] => {
    const text = sent.get(name) ?? '';
    if (type === 'boolean') return [[name, sent.has(name)]];
    return text === '' ? [] : [[name, typedValue(text, type)]];
  });
  return Object.fromEntries(values);
}

function typedValue(text: string, type: StartField['type']): Json {
  switch (type) {
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case 'files':
      return text.split('\n').flatMap((line) => line.trim() || []);
    case 'list':
    case 'object':
      try {
        return JSON.parse(text) as Json;
      } catch {
        return text;
      }
    default:
      return text.replaceAll('\r\n', '\n');
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
