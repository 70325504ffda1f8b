import { textField } from '../graph/fields.ts';
import { isObject } from '../graph/graph.ts';
import { jsonIn } from './json-in.ts';
import { separated } from './thoughts.ts';

export interface ClassOption {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** The class that a model names: alone, as JSON, or in a sentence that names no other; null where it names none, or several. */
export function namedClass(answer: string, classes: readonly ClassOption[]): ClassOption | null {
  const said = separated(answer).text;
  const json = jsonIn(said);
  const given = isObject(json)
    ? ['category_id', 'class_id', 'id', 'category_name', 'class_name', 'name'].map((name) => textField(json, name))
    : [said];
  for (const each of given) {
    const exact = exactly(each, classes);
    if (exact) return exact;
  }
  const text = given.join(' ').toLowerCase();
  const byName = withoutParts(classes.filter(({ name }) => mentions(text, name.toLowerCase())));
  if (byName.length > 0) return byName.length === 1 ? byName[0]! : null;
  const byId = classes.filter(({ id }) => mentions(text, id.toLowerCase()));
  return byId.length === 1 ? byId[0]! : null;
}

function exactly(text: string, classes: readonly ClassOption[]): ClassOption | undefined {
  const said = plain(text);
  return classes.find(({ id, name }) => [id, name].some((each) => plain(each) === said));
}

/** A text without marks around it. */
function plain(text: string): string {
  return text
    .replace(/["'`*.!]/g, '')
    .trim()
    .toLowerCase();
}

/** Whether a text has a name that is not a part of a longer word. Other scripts add endings to words. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0 && name !== ''; at = text.indexOf(name, at + 1))
    if (!isJoined(text[at - 1], name[0]) && !isJoined(name.at(-1), text[at + name.length])) return true;
  return false;
}

function isJoined(left: string | undefined, right: string | undefined): boolean {
  return [left, right].every((character) => character !== undefined && /[a-z0-9_]/.test(character));
}

/** Without classes whose names are parts of another one's. */
function withoutParts(classes: readonly ClassOption[]): readonly ClassOption[] {
  return classes.filter(
    (each) =>
      !classes.some(
        ({ name }) => name.length > each.name.length && name.toLowerCase().includes(each.name.toLowerCase()),
      ),
  );
}
