import type { Language } from './language.ts';

/** One text in each language. */
export type Texts = Readonly<Record<Language, string>>;

/** A text about one occasion, with the code of its kind. */
export interface Phrase extends Texts {
  readonly code: string;
}

type Value = string | number | Texts;
/** The names between < and > in a text. */
type Names<Text extends string> = Text extends `${string}<${infer Name}>${infer Rest}` ? Name | Names<Rest> : never;
type Values<Entry extends Texts> = [Names<Entry['en']>] extends [never]
  ? []
  : [values: Readonly<Record<Names<Entry['en']>, Value>>];

/**
 * Fills the texts of a book: each <name> in them is replaced by the value of that name.
 * @returns a function from a code of the book and its values to the phrase
 */
export function phrasesOf<const Book extends Readonly<Record<string, Texts>>>(book: Book) {
  return <Code extends keyof Book & string>(code: Code, ...given: Values<Book[Code]>): Phrase => {
    const values: Readonly<Record<string, Value>> = given[0] ?? {};
    const { en, ko } = book[code]!;
    return { code, en: filled(en, values, 'en'), ko: filled(ko, values, 'ko') };
  };
}

function filled(text: string, values: Readonly<Record<string, Value>>, language: Language): string {
  return text.replace(/<(\w+)>/g, (_, name: string) => {
    const value = values[name]!;
    return typeof value === 'object' ? value[language] : String(value);
  });
}
