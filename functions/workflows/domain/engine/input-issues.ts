import { type Phrase, phrasesOf } from '../../../shared/phrases.ts';

/** A fault of a value that a caller, or a person with a form, has sent. */
export interface InputIssue {
  readonly field: string;
  /** The words after the name of the field. */
  readonly fault: Phrase;
}

const INPUT_TEXTS = {
  unknown_field: {
    en: 'is not a field of <owner>, which has <known>',
    ko: '<owner>에 없는 항목입니다. 있는 항목: <known>',
  },
  needed: { en: 'is needed', ko: '필요한 값입니다' },
  not_text: { en: 'must be a text', ko: '글이어야 합니다' },
  too_long: { en: 'must have at most <max> characters', ko: '<max>자 이하여야 합니다' },
  not_file: {
    en: 'must be an https address, a data: URL, or an object with one as its url',
    ko: '파일이어야 합니다: https 주소, data: URL, 또는 그 url을 가진 객체',
  },
  not_files: {
    en: 'must be a list of files, each an https address, a data: URL, or an object with one as its url',
    ko: '파일의 목록이어야 합니다: 각각 https 주소, data: URL, 또는 그 url을 가진 객체',
  },
  not_an_option: { en: 'must be one of <options>', ko: '다음 중 하나여야 합니다: <options>' },
  wrong_type: { en: 'must be a <type>', ko: '맞지 않는 형식입니다. 필요한 형식: <type>' },
  no_actions: { en: 'is set, and the form has no actions', ko: '이 양식에는 동작이 없습니다. 지우세요' },
} as const;

/** The words of a fault of an input. */
export const inputFault = phrasesOf(INPUT_TEXTS);

export const START_NODE = { en: 'the start node', ko: '시작 노드' } as const;
export const FORM = { en: 'the form', ko: '양식' } as const;
export const NO_FIELDS = { en: 'none', ko: '없음' } as const;
export const TYPE_NAMES = {
  number: { en: 'number', ko: '숫자' },
  boolean: { en: 'boolean', ko: '참 또는 거짓' },
  list: { en: 'list', ko: '목록' },
  object: { en: 'object', ko: '객체' },
} as const;
