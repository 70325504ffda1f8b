import type { Json, JsonObject, ValueType } from './graph.ts';
import { isObject, typeOf } from './graph.ts';
import { soleReference } from './references.ts';

/** One member of a node's configuration: its possible values, and whether it may hold references. */
export type Field = FieldKind & { readonly optional?: true };

type FieldKind =
  /** A text in which references are replaced. */
  | { readonly kind: 'text'; readonly maxLength?: number }
  /** A text that is taken as it is: the id of something, or a program. */
  | { readonly kind: 'literal'; readonly maxLength?: number; readonly pattern?: RegExp; readonly form?: string }
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
  readonly message: string;
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

const NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u;
const FOREIGN_NAME = /^[^\p{C}]{1,200}$/u;
const MAX_LITERAL_LENGTH = 200;
const MAX_TEXT_LENGTH = 100_000;

/** Checks an object against its fields, and collects the places of possible references. */
export function checkFields(given: Json | undefined, fields: Fields, at: string): CheckedFields {
  const checked: CheckedFields = { issues: [], references: [] };
  checkObject(given ?? {}, fields, at, checked);
  return checked;
}

function checkObject(given: Json, fields: Fields, at: string, checked: CheckedFields): void {
  if (!isObject(given)) {
    report(checked, at, 'must be an object');
    return;
  }
  for (const name of Object.keys(given))
    if (!Object.hasOwn(fields, name))
      report(
        checked,
        `${at}.${name}`,
        `is no member of it. It may have ${Object.keys(fields).join(', ') || 'none'}. Remove it, or correct its name`,
      );
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name];
    if (value !== undefined && value !== null) checkField(value, field, `${at}.${name}`, checked);
    else if (!field.optional) report(checked, `${at}.${name}`, `is missing. Set it to ${describe(field)}`);
  }
}

function checkField(value: Json, field: Field, at: string, checked: CheckedFields): void {
  switch (field.kind) {
    case 'text': {
      const { maxLength = MAX_TEXT_LENGTH } = field;
      if (typeof value !== 'string' || value.length > maxLength) {
        report(checked, at, `must be a text of at most ${maxLength} characters`);
        return;
      }
      checked.references.push({ field: at, value, type: 'text' });
      return;
    }
    case 'literal': {
      const { maxLength = MAX_LITERAL_LENGTH, pattern, form } = field;
      if (typeof value !== 'string' || value === '' || value.length > maxLength) {
        report(checked, at, `must be a text of 1 to ${maxLength} characters`);
        return;
      }
      if (pattern && !pattern.test(value)) report(checked, at, `must be ${form}`);
      return;
    }
    case 'choice':
      if (typeof value !== 'string' || !field.of.includes(value))
        report(checked, at, `must be one of ${field.of.join(', ')}`);
      return;
    case 'integer':
    case 'number': {
      const isRight = typeof value === 'number' && (field.kind === 'number' || Number.isInteger(value));
      if (!isRight || value < field.min || value > field.max) report(checked, at, `must be ${describe(field)}`);
      return;
    }
    case 'flag':
      if (typeof value !== 'boolean') report(checked, at, 'must be true or false');
      return;
    case 'json':
      if (!isObject(value)) report(checked, at, 'must be an object');
      return;
    case 'value': {
      const isReference = typeof value === 'string' && soleReference(value) !== null;
      if (!isReference && field.type !== 'any' && typeOf(value) !== field.type) {
        report(checked, at, `must be ${describe(field)}`);
        return;
      }
      checked.references.push({ field: at, value, type: field.type });
      return;
    }
    case 'list':
      if (!Array.isArray(value) || value.length < field.min || value.length > field.max) {
        report(checked, at, `must be a list of ${field.min} to ${field.max} entries`);
        return;
      }
      for (const [index, each] of value.entries()) checkField(each as Json, field.of, `${at}.${index}`, checked);
      return;
    case 'record': {
      if (!isObject(value) || Object.keys(value).length > field.max) {
        report(checked, at, `must be an object of at most ${field.max} members`);
        return;
      }
      for (const [name, each] of Object.entries(value)) {
        if (!(field.anyName ? FOREIGN_NAME : NAME).test(name))
          report(checked, `${at}.${name}`, 'has a name that must be 1 to 64 letters, digits, _ and -, no digit first');
        checkField(each, field.of, `${at}.${name}`, checked);
      }
      return;
    }
    case 'object':
      checkObject(value, field.fields, at, checked);
  }
}

function describe(field: Field): string {
  switch (field.kind) {
    case 'text':
    case 'literal':
      return 'a text';
    case 'choice':
      return `one of ${field.of.join(', ')}`;
    case 'integer':
      return `a whole number from ${field.min} to ${field.max}`;
    case 'number':
      return `a number from ${field.min} to ${field.max}`;
    case 'flag':
      return 'true or false';
    case 'value':
      return field.type === 'any'
        ? 'a value, or a reference such as {{node.output}}'
        : `a ${field.type}, or a reference to one such as {{node.output}}`;
    case 'list':
      return 'a list';
    case 'json':
    case 'record':
    case 'object':
      return 'an object';
  }
}

function report(checked: CheckedFields, field: string, message: string): void {
  checked.issues.push({ field, message: `${message}.` });
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
