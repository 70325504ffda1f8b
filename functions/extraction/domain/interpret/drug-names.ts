const DRUG_NAME =
  /(?:정|캡슐|캅셀|시럽|주사?|연고|크림|액|산|과립|패취|패치|플라스타|겔|로션|흡입)[^\p{L}\p{N}]?(?:\d|$|\()|\d\s*(?:mg|㎎|mL|㎖|mcg|밀리|그램)/iu;

/** Whether a text ends in the form of a drug, or shows a strength. */
export function looksLikeDrugName(text: string): boolean {
  return DRUG_NAME.test(text);
}
