import type { Phrase, Texts } from '../../../shared/phrases.ts';
import type { Json, JsonObject, ValueType } from './graph.ts';
import { isObject, typeOf } from './graph.ts';
import { said } from './issue-texts.ts';
import { soleReference } from './references.ts';

/** One member of a node's configuration: its possible values, its meaning, and whether it may be left out. */
export type Field = FieldKind & {
  readonly optional?: true;
  /** Its effect, in sentences for authors: with its unit, and with a default that depends on something else. */
  readonly description?: string;
  /** The value that an absent member means. */
  readonly byDefault?: string | number | boolean;
};

type FieldKind =
  /** A text in which references are replaced. */
  | { readonly kind: 'text'; readonly maxLength?: number }
  /** A text that is taken as it is: the id of something, or a program. */
  | { readonly kind: 'literal'; readonly maxLength?: number; readonly pattern?: RegExp; readonly form?: Texts }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'flag' }
  /** An object that is taken as it is. */
  | { readonly kind: 'json' }
  /** Any JSON with references in it, or one reference to a value of the type. */
  | { readonly kind: 'value'; readonly type: ValueType }
  | { readonly kind: 'list'; readonly of: Field; readonly min: number; readonly max: number }
  /** Names of the author's choice; `anyName` where they are another system's, as those of headers are. */
  | { readonly kind: 'record'; readonly of: Field; readonly max: number; readonly anyName?: true }
  | { readonly kind: 'object'; readonly fields: Fields };

export type Fields = Readonly<Record<string, Field>>;

/** A fault of a field, and how to fix it. */
export interface FieldIssue {
  readonly field: string;
  readonly fault: Phrase;
}

/** A place that holds references, and the type that is expected there. */
export interface ReferencingField {
  readonly field: string;
  readonly value: Json;
  readonly type: ValueType;
}

export interface CheckedFields {
  readonly issues: FieldIssue[];
  readonly references: ReferencingField[];
}

export const MAX_LITERAL_LENGTH = 200;
export const MAX_TEXT_LENGTH = 100_000;
const NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;
const FOREIGN_NAME = /^[^\p{C}]{1,200}$/u;

/** Checks an object against its fields, and collects the places of possible references. */
export function checkFields(given: Json | undefined, fields: Fields, at: string): CheckedFields {
  const checked: CheckedFields = { issues: [], references: [] };
  checkObject(given ?? {}, fields, at, checked);
  return checked;
}

function checkObject(given: Json, fields: Fields, at: string, checked: CheckedFields): void {
  if (!isObject(given)) {
    report(checked, at, said('not_an_object'));
    return;
  }
  for (const name of Object.keys(given))
    if (!Object.hasOwn(fields, name))
      report(checked, `${at}.${name}`, said('unknown_member', { known: memberNames(fields) }));
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name];
    if (value !== undefined && value !== null) checkField(value, field, `${at}.${name}`, checked);
    else if (!field.optional) report(checked, `${at}.${name}`, said('missing', { wanted: describe(field) }));
  }
}

function checkField(value: Json, field: Field, at: string, checked: CheckedFields): void {
  switch (field.kind) {
    case 'text': {
      const { maxLength = MAX_TEXT_LENGTH } = field;
      if (typeof value !== 'string' || value.length > maxLength) {
        report(checked, at, said('text_length', { max: maxLength }));
        return;
      }
      checked.references.push({ field: at, value, type: 'text' });
      return;
    }
    case 'literal': {
      const { maxLength = MAX_LITERAL_LENGTH, pattern, form } = field;
      if (typeof value !== 'string' || value === '' || value.length > maxLength) {
        report(checked, at, said('literal_length', { max: maxLength }));
        return;
      }
      if (pattern && !pattern.test(value))
        report(checked, at, said('wrong_value', { wanted: form ?? describe(field) }));
      return;
    }
    case 'choice':
      if (typeof value !== 'string' || !field.of.includes(value))
        report(checked, at, said('wrong_value', { wanted: describe(field) }));
      return;
    case 'integer':
    case 'number': {
      const isRight = typeof value === 'number' && (field.kind === 'number' || Number.isInteger(value));
      if (!isRight || value < field.min || value > field.max)
        report(checked, at, said('wrong_value', { wanted: describe(field) }));
      return;
    }
    case 'flag':
      if (typeof value !== 'boolean') report(checked, at, said('wrong_value', { wanted: describe(field) }));
      return;
    case 'json':
      if (!isObject(value)) report(checked, at, said('not_an_object'));
      return;
    case 'value': {
      const isReference = typeof value === 'string' && soleReference(value) !== null;
      if (!isReference && field.type !== 'any' && typeOf(value) !== field.type) {
        report(checked, at, said('wrong_value', { wanted: describe(field) }));
        return;
      }
      checked.references.push({ field: at, value, type: field.type });
      return;
    }
    case 'list':
      if (!Array.isArray(value) || value.length < field.min || value.length > field.max) {
        report(checked, at, said('list_length', { min: field.min, max: field.max }));
        return;
      }
      for (const [index, each] of value.entries()) checkField(each as Json, field.of, `${at}.${index}`, checked);
      return;
    case 'record': {
      if (!isObject(value) || Object.keys(value).length > field.max) {
        report(checked, at, said('too_many_members', { max: field.max }));
        return;
      }
      for (const [name, each] of Object.entries(value)) {
        if (!(field.anyName ? FOREIGN_NAME : NAME).test(name))
          report(checked, `${at}.${name}`, said('wrong_member_name'));
        checkField(each, field.of, `${at}.${name}`, checked);
      }
      return;
    }
    case 'object':
      checkObject(value, field.fields, at, checked);
  }
}

function memberNames(fields: Fields): Texts {
  const names = Object.keys(fields).join(', ');
  return { en: names || 'none', ko: names || '없음' };
}

function describe(field: Field): Texts {
  switch (field.kind) {
    case 'text':
    case 'literal':
      return { en: 'a text', ko: '글' };
    case 'choice': {
      const choices = field.of.join(', ');
      return { en: `one of ${choices}`, ko: `${choices} 중 하나` };
    }
    case 'integer':
      return { en: `a whole number from ${field.min} to ${field.max}`, ko: `${field.min}~${field.max}의 정수` };
    case 'number':
      return { en: `a number from ${field.min} to ${field.max}`, ko: `${field.min}~${field.max}의 수` };
    case 'flag':
      return { en: 'true or false', ko: 'true 또는 false' };
    case 'value':
      return field.type === 'any'
        ? { en: 'a value, or a reference such as {{node.output}}', ko: '값, 또는 {{node.output}}과 같은 참조' }
        : {
            en: `a ${field.type}, or a reference to one such as {{node.output}}`,
            ko: `${field.type}, 또는 {{node.output}}과 같은 참조`,
          };
    case 'list':
      return { en: 'a list', ko: '목록' };
    case 'json':
    case 'record':
    case 'object':
      return { en: 'an object', ko: '객체' };
  }
}

function report(checked: CheckedFields, field: string, fault: Phrase): void {
  checked.issues.push({ field, fault });
}

export function textField(config: JsonObject, name: string): string {
  const value = config[name];
  return typeof value === 'string' ? value : '';
}

export function listField(config: JsonObject, name: string): readonly Json[] {
  const value = config[name];
  return Array.isArray(value) ? value : [];
}

export function objectField(config: JsonObject, name: string): JsonObject {
  const value = config[name];
  return isObject(value) ? value : {};
}

export function numberField(config: JsonObject, name: string, byDefault: number): number {
  const value = config[name];
  return typeof value === 'number' ? value : byDefault;
}
