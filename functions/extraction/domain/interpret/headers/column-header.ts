import type { Template } from '../../reading/template.ts';
import { type HeaderMatch, matchHeader, matchLetter } from './header-words.ts';

/** The field that a column's header announces. */
export function headerOf(text: string, template: Template): HeaderMatch | null {
  return matchLetter(text) ?? namesBesideOther(text, template) ?? matchHeader(text, template);
}

/** Names, and with a stroke between the words what else their column shows: `약품명 / 제조사`. */
function namesBesideOther(text: string, template: Template): HeaderMatch | null {
  const matches = text.split('/').map((part) => matchHeader(part, template));
  const name = matches.find((match) => match?.kind === 'drugName');
  const others = matches.filter((match) => match !== name);
  return name && others.length > 0 && others.every((match) => match?.kind === 'other') ? name : null;
}
