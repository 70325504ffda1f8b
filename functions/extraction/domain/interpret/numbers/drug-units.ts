/** Units that count drugs, or measure them except by mass, as the source of a pattern: names end in a mass, `연고 10g`. */
export const COUNT_UNIT = '(?:정|캡슐|캅셀|포|매|장|개|앰플|바이알|병|튜브|방울|스푼|m[lL]|㎖|cc)';
/** Units of drugs' counts and measures, as the source of a pattern. */
export const DRUG_UNIT = `(?:${COUNT_UNIT}|g)`;
