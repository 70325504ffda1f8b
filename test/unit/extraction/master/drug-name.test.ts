import { describe, expect, it } from 'vitest';
import { compareNames } from '../../../../functions/extraction/domain/master/drug-name.ts';
import { foldName } from '../../../../functions/extraction/domain/master/name-parts.ts';

const LISTED = '솔뫼펜정500밀리그램(아세트아미노펜)_(0.5g/1정)';

describe('foldName', () => {
  it('writes units one way', () => {
    expect(foldName('솔뫼펜정 500㎎')).toBe('솔뫼펜정500mg');
    expect(foldName('솔뫼펜정500밀리그람')).toBe('솔뫼펜정500mg');
    expect(foldName('도담정25마이크로그램')).toBe(foldName('도담정25㎍'));
    expect(foldName('아라주1그램')).toBe('아라주1g');
    expect(foldName('아라시럽100밀리리터')).toBe('아라시럽100ml');
  });

  it('keeps the point of a strength and drops every other mark', () => {
    expect(foldName('가람정2.5mg(가.나)_(1,000)')).toBe('가람정2.5mg가나1000');
    expect(foldName('가람정.5mg')).toBe('가람정0.5mg');
  });
});

describe('compareNames', () => {
  it.each([
    ['whole', LISTED, 'whole'],
    ['whole, its blanks and units written otherwise', '솔뫼펜정 500 mg (아세트아미노펜)_(0.5g/1정)', 'whole'],
    ['with a blank', '솔뫼펜정 500밀리그램(아세트아미노펜)', 'verbatim'],
    ['without its pack', '솔뫼펜정500밀리그램(아세트아미노펜)', 'verbatim'],
    ['without its brackets', '솔뫼펜정500밀리그램', 'verbatim'],
    ['cut off behind the strength', '솔뫼펜정500밀리그램(아세트아', 'cut'],
    ['with the bracket closed where the list continues: half a letter at the edge', '솔뫼펜정500mg(아세)', 'similar'],
    ['cut off inside the unit', '솔뫼펜정500밀리그', 'cut'],
    ['cut off inside the unit with dots', '솔뫼펜정500밀리..', 'cut'],
    ['cut off inside the strength', '솔뫼펜정50', 'partial'],
    ['cut off between the strength and its unit', '솔뫼펜정500', 'partial'],
    ['cut off before the strength', '솔뫼펜정', 'partial'],
    ['with the unit in Latin', '솔뫼펜정500mg', 'same'],
    ['with the unit in Latin, cut off inside it', '솔뫼펜정500m', 'partial'],
    ['without its pack, the unit in Latin', '솔뫼펜정500mg(아세트아미노펜)', 'same'],
    ['without its ingredient', '솔뫼펜정500mg_(0.5g/1정)', 'same'],
    ['counted', '솔뫼펜정500밀리그램/1정', 'verbatim'],
    ['measured', '솔뫼펜정500밀리그램/1cc', 'verbatim'],
    ['given by mouth and counted', '솔뫼펜정500mg(내복)/1정', 'same'],
    ['behind its maker', '(가람) 솔뫼펜정500밀리그램/1정', 'verbatim'],
    ['before its maker', '솔뫼펜정500밀리그램 [가람제약]', 'verbatim'],
    ['without its strength, and counted', '솔뫼펜정/1정', 'same'],
    ['misread in one letter, and counted', '솔뫼팬정500밀리그램(내복)/1정', 'similar'],
    ['counted, and cut inside the unit', '솔뫼펜정500밀리그램/1캡', 'verbatim'],
    ['counted in an invalid unit', '솔뫼펜정500밀리그램/1래', 'similar'],
    ['without a letter of its unit before a bracket', '솔뫼펜정500m(', 'similar'],
    ['cut off inside its unit in Latin', '솔뫼펜정500m', 'partial'],
    ['misread in one letter', '솔뫼팬정500밀리그램(아세트아미노펜)', 'similar'],
    ['without its form', '솔뫼펜500밀리그램(아세트아미노펜)', 'similar'],
  ])('a print %s', (_case, printed, agreement) => {
    expect(compareNames(printed, LISTED).agreement).toBe(agreement);
  });

  it.each([
    ['another strength', '솔뫼펜정650밀리그램(아세트아미노펜)'],
    ['a point before its strength', '솔뫼펜정.500밀리그램(아세트아미노펜)'],
    ['a digit more', '솔뫼펜정5000밀리그램(아세트아미노펜)'],
    ['a second strength', '솔뫼펜정500밀리그램/100'],
    ['another form', '솔뫼펜캡슐500밀리그램'],
    ['another brand', '두물정500밀리그램(이부프로펜)'],
    ['nothing', ''],
    ['one letter', '솔'],
  ])('%s is a different drug', (_case, printed) => {
    expect(compareNames(printed, LISTED).agreement).toBe('different');
  });

  it("a neighbour's digit behind the pack is not part of the name", () => {
    expect(compareNames('솔뫼펜정10/160밀리그램_(1정)', '솔뫼펜정10/160밀리그램_(1정)').agreement).toBe('whole');
    expect(compareNames('솔뫼펜정10/160밀리그램_(1정)1', '솔뫼펜정10/160밀리그램_(1정)').agreement).toBe('similar');
  });
});
