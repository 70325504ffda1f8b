import type { Doubt } from '../drug-line.ts';
import { FIELD_NAMES } from './field-names.ts';
import type { FindingParameters, ListedPrice, NameDifference, UnreadLetter } from './finding-parameters.ts';
import { type FindingTexts, missingTexts } from './finding-texts.ts';

const { en: FIELDS } = FIELD_NAMES;

const DOUBTS: Readonly<Record<Doubt, string>> = {
  crossed: 'a stroke, a stamp or a rule touches',
  beside: 'the numbers of another column are closer to',
  shifted: 'a digit may be missing next to',
  joined: 'several lines of print were read as',
  small: 'print this small does not distinguish 6 from 8 in',
};

/** The texts of all findings in English. */
export const ENGLISH_FINDINGS: FindingTexts = {
  'code_missing.illegible': ({ text }) => `the code reads "${text}"`,
  'code_missing.empty': () => 'the line shows no drug code',
  'code_missing.no_column': () => 'the sheet prints no drug codes',
  'code_unknown.unlisted': ({ code, version }) =>
    `code ${code} is not in the drug master (list of ${version}); an older or a newer list may have it`,
  'code_unknown.replaced': ({ code, successors }) =>
    `code ${code} was replaced by ${successors.join(', ')}; the name does not say which of these is meant`,
  code_incomplete: ({ code, lookup }) => `code ${code} has not 9 or 13 digits; it was looked up as ${lookup}`,
  code_check_digit: ({ code }) => `the check digit of ${code} is wrong: a digit was misread or misprinted`,
  code_ambiguous: ({ code, twin, name, byPrice }) =>
    `${twin} (${name}) differs from ${code} in one digit and fits ${byPrice ? 'name and price' : 'the name'} as well`,
  code_uncertain: ({ read, byList, name }) => `the code reads ${read} or ${byList}: the list gives ${name} the latter`,
  code_replaced: ({ code, by, name }) => `code ${code} was replaced by ${by} (${name})`,
  code_ended: ({ code, date, successor }) =>
    `${code} left the list on ${date}${successor === null ? '' : `; since then ${successor} has its name`}`,
  'low_confidence.code': ({ code, confidence }) => `code ${code} was read with confidence ${confidence.toFixed(2)}`,
  'low_confidence.number': ({ field, value, confidence }) =>
    `${FIELDS[field]} ${value} was read with confidence ${confidence.toFixed(2)}`,
  name_missing: ({ code, listed }) => `no drug name confirms code ${code}, which the list gives to ${listed}`,
  name_mismatch: ({ name, listed, code, difference }) =>
    `the name reads "${name}"${differenceText(difference)}; the list gives ${code} to ${listed}`,
  'name_uncertain.similar': ({ name, listed, difference }) =>
    doubted(`the name reads "${name}"${differenceText(difference)}`, listed),
  'name_uncertain.unread': ({ name, listed, letters }) =>
    doubted(`of the name "${name}" print hardly shows ${unreadText(letters)}`, listed),
  'name_uncertain.no_strength': ({ name, listed }) =>
    doubted(`the name "${name}" ends before its strength does`, listed),
  'name_uncertain.short': ({ name, listed }) =>
    doubted(`the name "${name}" ends earlier than others on the sheet`, listed),
  'name_uncertain.open_bracket': ({ name, listed }) => doubted(`the name "${name}" ends inside a bracket`, listed),
  'name_uncertain.end': ({ name, listed }) => doubted(`the end of the name "${name}" was not clearly read`, listed),
  'name_uncertain.unknown_maker': ({ name, listed }) =>
    doubted(`the name "${name}" shows a maker that is not known`, listed),
  'name_uncertain.other_maker': ({ name, listed, maker }) =>
    doubted(`the name "${name}" shows a maker that is not the list's, "${maker}"`, listed),
  'name_uncertain.unconfirmed': ({ name, listed }) =>
    doubted(`nothing confirmed that the name reads "${name}"`, listed),
  price_mismatch: ({ unitPrice, list }) => `unit price ${unitPrice} is not the list's; ${listText(list)}`,
  price_unlisted: ({ unitPrice, list }) => `unit price ${unitPrice} cannot be checked: ${listText(list)}`,
  price_historical: ({ unitPrice, from, until, list }) => {
    const period = until === null ? `from ${from} on` : `from ${from} until ${until}`;
    return `unit price ${unitPrice} was in force ${period}; ${listText(list)}`;
  },
  ...missingTexts({
    empty: ({ field }) => `the ${FIELDS[field]} is empty or could not be read`,
    illegible: ({ field, text }) => `the ${FIELDS[field]} reads "${text}"`,
  }),
  'quantity_missing.no_column': () => 'the sheet has no column for the quantity',
  'value_doubted.print': ({ doubt, field, value }) => `${DOUBTS[doubt]} the ${FIELDS[field]} ${value}`,
  'value_doubted.dose': ({ value, name }) =>
    `a dose of ${value} is unusual for ${name}: its point may not have been read`,
  'value_doubted.times_unread': ({ quantity }) =>
    `the times a day could not be read; they may be the quantity ${quantity}`,
  'value_doubted.times': ({ value }) => `times a day reads ${value}: its neighbouring numbers may be different`,
  value_not_positive: ({ field, value }) => `${FIELDS[field]} is ${value}`,
  quantity_contradiction: (equation) => `${productText(equation)}, not the prescribed quantity ${equation.printed}`,
  amount_contradiction: (equation) => `${productText(equation)}, not the amount ${equation.printed}`,
  amount_rounding: (equation) =>
    `${productText(equation)}, the amount is ${equation.printed}: not how this sheet rounds`,
  column_inferred: ({ field, value }) =>
    `the header of the ${FIELDS[field]} was not read; ${value} may be another number`,
  unproven_value: ({ field, value }) => `nothing on the sheet confirms the ${FIELDS[field]} ${value}`,
  'table_incomplete.unread_row': () => 'a row of the table next to this line could not be read',
  'table_incomplete.cut_off': () => 'the table is cut off by the edge of the picture',
  'table_incomplete.more_pages': () => 'the file has more pages; this is the first one, send the others with page',
  'table_incomplete.count': ({ printed, read }) => `the sheet counts ${printed} lines; ${read} were read`,
  total_mismatch: ({ sum, printed }) => `the amounts add up to ${sum}; the sheet prints the total ${printed}`,
  own_list: ({ code, name, price }) => {
    const differences = [
      ...(name === null ? [] : [`the name ${name.own}, not ${name.official}`]),
      ...(price === null ? [] : [`the price ${price.own ?? 'none'}, not ${price.official ?? 'none'}`]),
    ];
    return `your own list holds, which gives ${code} ${differences.join(', and ')} as the official list does`;
  },
};

function doubted(text: string, listed: string): string {
  return `${text}; the list writes ${listed}`;
}

/** `, with 민 (1.00) for 틴`. */
function differenceText(difference: NameDifference): string {
  if (difference === null) return '';
  if ('otherCode' in difference) return `, the name of ${difference.otherCode}`;
  const letters = difference.letters.map(
    ({ printed, listed, confidence }) => `${printed} (${confidence.toFixed(2)}) for ${listed}`,
  );
  return `, with ${letters.join(', ')}`;
}

/** `정 (0.04, or 덩)`. */
function unreadText(letters: readonly UnreadLetter[]): string {
  return letters
    .map(
      ({ letter, confidence, rivals }) =>
        `${letter} (${confidence.toFixed(2)}${rivals.length === 0 ? '' : `, or ${rivals.join(', ')}`})`,
    )
    .join(', ');
}

function listText(list: ListedPrice): string {
  switch (list.state) {
    case 'none':
      return `the list has no price for this drug on ${list.date}: a list of that time may`;
    case 'ended':
      return `the drug left the list on ${list.since}`;
    case 'unpriced':
      return `the list has this drug without a price (since ${list.since})`;
    case 'priced':
      return `the list says ${list.krw} on ${list.date} (in force since ${list.since})`;
  }
}

function productText({ factors, product }: FindingParameters['amount_contradiction']): string {
  return `${factors.map(({ field, value }) => `${FIELDS[field]} ${value}`).join(' × ')} is ${product}`;
}
