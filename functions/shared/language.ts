/** Languages that texts for people are written in. */
export type Language = 'en' | 'ko';

/** The language that an `Accept-Language` header prefers; English where it names neither of the two. */
export function preferredLanguage(header: string | undefined): Language {
  let best: Language = 'en';
  let bestWeight = 0;
  for (const range of (header ?? '').slice(0, MAX_HEADER_LENGTH).split(',')) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const language = tag.split('-')[0];
    if (language !== 'ko' && language !== 'en') continue;
    const weight = weightOf(parameters);
    if (weight > bestWeight) [best, bestWeight] = [language, weight];
  }
  return best;
}

const MAX_HEADER_LENGTH = 500;

function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const number = weight === undefined ? 1 : Number(weight.slice(2));
  return number >= 0 && number <= 1 ? number : 0;
}
