import { describe, expect, it } from 'vitest';
import {
  looksLikeDrugName,
  withoutStrayMarks,
} from '../../../../../functions/extraction/domain/interpret/names/drug-names.ts';

const name = (value: string) => ({ value, text: value, confidence: 0.9 });

describe('a name', () => {
  it.each([
    ['— 슈프파스서방캡슐10밀리그램', '슈프파스서방캡슐10밀리그램'],
    ['레보빈필름코팅정20mg |', '레보빈필름코팅정20mg'],
    ['“트라졸정5mg', '트라졸정5mg'],
    ['피나제트캡슐300mg○', '피나제트캡슐300mg'],
    ['아모다민정60mcg)', '아모다민정60mcg'],
    [') 슈프로신정30밀리그램', '슈프로신정30밀리그램'],
    ['( 덱사톤내복액500g', '덱사톤내복액500g'],
    ['/덱사톤내복액500g', '덱사톤내복액500g'],
    ['덱사톤내복액500g→식전 30분', '덱사톤내복액500g'],
  ])('has no marks around it: %s', (read, expected) => {
    expect(withoutStrayMarks(name(read))).toMatchObject({ value: expected, text: expected });
  });

  it.each([
    '(새벽)크레민정15mg(내복)',
    '레보빈필름코팅정20mg·',
    '브로란트정2.5밀리그램/1정,',
    '가온시럽[나래30%엑스(5~7.5→1)]_(3.5g/500mL)',
    '리피라딘건조시럽100그램(',
    '에제틴정7.',
    '플라베린정40mg(알마게이트)_',
    '글루민주3g(레보티록신…',
    '글루민주3g(레보티록신..',
    '글루민주3g(염화나트륨·',
    '글루민주 3g (',
    '아나록소정_(',
    '-',
    '가-나',
  ])('stays as it is: %s', (read) => {
    expect(withoutStrayMarks(name(read)).value).toBe(read);
  });

  it('has no bracket behind a blank that was hardly read', () => {
    const read = name('글루민주3g (');
    const letters = [...read.value].map((letter) => (letter === '(' ? 0.8 : 1));
    expect(withoutStrayMarks({ ...read, letters }).value).toBe('글루민주3g');
  });

  it('keeps the rivals of each letter that stays', () => {
    const rivals = ['', '너', '', 'x'];
    expect(withoutStrayMarks({ ...name('-나다|'), rivals }).rivals).toEqual(['너', '']);
  });
});

describe('a drug name', () => {
  it.each([
    ['가온정 5mg', true],
    ['나래캡슐', true],
    ['1일섭취량: 1정(1100mg)', false],
    ['영양·기능정보 1일 섭취량 : 2정(900mg) 총 30일분', false],
    ['메가비타C 1000mg 건강기능식품', false],
  ])('is not what food law speaks of: %s', (text, expected) => {
    expect(looksLikeDrugName(text)).toBe(expected);
  });
});
