import type { LanguageName } from '../../../functions/sandbox/domain/run.ts';
import { bash } from './bash.ts';
import { go } from './go.ts';
import type { Finder, FindOptions, Language } from './language.ts';
import { javascript, typescript } from './node.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';

export interface MissingLanguage {
  readonly name: LanguageName;
  /** How to install it. */
  readonly hint: string;
}

export interface Installed {
  readonly languages: readonly Language[];
  /** Those of them that cannot be run yet. */
  readonly preparing: ReadonlySet<LanguageName>;
  readonly missing: readonly MissingLanguage[];
}

export interface Finding {
  /** All are found, though some may be in preparation: Go's standard library is compiled on the first start on a machine. */
  readonly ready: Promise<void>;
  /** Nothing is in preparation any more. */
  readonly settled: Promise<void>;
  /** The languages found so far. */
  installed(): Installed;
}

/** Finds every language once, by the absolute path behind links; a version manager's wrapper costs 100 ms a run. */
export function findLanguages(options: FindOptions): Finding {
  const languages: Language[] = [];
  const missing: MissingLanguage[] = [];
  const preparing = new Set<LanguageName>();
  const prepare = async (language: Language, hint: string) => {
    preparing.add(language.name);
    try {
      await language.preparation;
    } catch {
      languages.splice(languages.indexOf(language), 1);
      missing.push({ name: language.name, hint });
    } finally {
      preparing.delete(language.name);
    }
  };
  const preparations: Promise<void>[] = [];
  const search = async ({ name, hint, find }: Finder) => {
    const language = await find().catch(() => null);
    if (language === null) missing.push({ name, hint });
    else languages.push(language);
    if (language?.preparation !== undefined) preparations.push(prepare(language, hint));
  };
  const finders = [
    bash(options),
    go(options),
    javascript(options),
    python(options),
    ruby(options),
    typescript(options),
  ];
  const ready = Promise.all(finders.map(search)).then(() => undefined);
  return {
    ready,
    settled: ready.then(() => Promise.all(preparations)).then(() => undefined),
    installed: () => ({ languages: languages.toSorted(byName), preparing, missing: missing.toSorted(byName) }),
  };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
