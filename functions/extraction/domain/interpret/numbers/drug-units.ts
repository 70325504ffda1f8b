/** What drugs are counted in, or measured but for their mass, as the source of a pattern: names end in a mass, `연고 10g`. */
export const COUNT_UNIT = '(?:정|캡슐|캅셀|포|매|장|개|앰플|바이알|병|튜브|방울|스푼|m[lL]|㎖|cc)';
/** What drugs are counted and measured in, as the source of a pattern. */
export const DRUG_UNIT = `(?:${COUNT_UNIT}|g)`;
