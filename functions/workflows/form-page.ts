import { shownTime } from '../shared/shown-time.ts';
import type { PendingDecision } from './domain/engine/engine-events.ts';
import type { Json } from './domain/graph/graph.ts';
import { type StartField, startFields } from './domain/graph/node-fields.ts';
import { formActions, isForm, labelOf, messagePieces, type PersonAction } from './domain/graph/people.ts';
import { textOf } from './domain/graph/references.ts';
import type { RunRefusal } from './domain/run/run-refused.ts';

/** The address is a secret: no other site may learn it, or show the page in a frame. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  vary: 'accept, accept-language',
  'x-content-type-options': 'nosniff',
} as const;

export type PageLanguage = 'ko' | 'en';

/** Browsers ask for pages, programs for JSON. */
export function wantsPage(accept: string | undefined): boolean {
  return accept?.includes('text/html') === true;
}

/** The first of the languages that a page is written in; otherwise English. */
export function pageLanguage(accepted = ''): PageLanguage {
  for (const each of accepted.split(',', 20)) {
    const language = each.trim().slice(0, 2).toLowerCase();
    if (language === 'ko' || language === 'en') return language;
  }
  return 'en';
}

const TEXTS = {
  ko: {
    submit: '보내기',
    approve: '승인',
    reject: '거절',
    comment: '의견',
    required: '필수',
    until: (time: string) => `${time}까지 답할 수 있습니다. 이 링크는 한 번만 쓸 수 있습니다.`,
    thanks: '감사합니다. 답변이 전달되었습니다.',
    faults: '다음 항목을 고친 뒤 다시 보내 주세요.',
  },
  en: {
    submit: 'Submit',
    approve: 'Approve',
    reject: 'Reject',
    comment: 'Comment',
    required: 'required',
    until: (time: string) => `Can be answered until ${time}. This link works once.`,
    thanks: 'Thank you. Your answer has been sent.',
    faults: 'Correct these entries, and send the form again.',
  },
} as const;

/** Why a link opens no form, as a title and an explanation. */
const REFUSALS: Readonly<Record<PageLanguage, Partial<Record<RunRefusal, readonly [string, string]>>>> = {
  ko: {
    not_found: ['링크를 찾을 수 없습니다', '주소가 빠짐없이 복사되었는지 확인해 주세요. 오래된 링크는 삭제됩니다.'],
    already_decided: ['이미 답변한 링크입니다', '이 링크는 한 번만 쓸 수 있고, 답변이 이미 접수되었습니다.'],
    form_expired: ['기한이 지났습니다', '답변할 수 있는 기한이 지났습니다. 링크를 보낸 분에게 문의해 주세요.'],
    approval_expired: ['기한이 지났습니다', '결정할 수 있는 기한이 지났습니다. 링크를 보낸 분에게 문의해 주세요.'],
    already_ended: ['더 이상 필요하지 않습니다', '이 요청은 이미 끝났습니다.'],
    not_waiting: ['아직 열리지 않았습니다', '아직 답변할 차례가 아닙니다. 잠시 후 다시 열어 주세요.'],
  },
  en: {
    not_found: ['This link leads nowhere', 'Check that the whole address was copied. Old links are removed.'],
    already_decided: ['This link has been used', 'It works once, and an answer has been received.'],
    form_expired: ['This link has expired', 'The time to answer is over. Ask the person who sent you the link.'],
    approval_expired: ['This link has expired', 'The time to decide is over. Ask the person who sent you the link.'],
    already_ended: ['An answer is no longer needed', 'This request has ended.'],
    not_waiting: ['This form is not open yet', 'It cannot be answered yet. Open the link again later.'],
  },
};

/** A form that was sent with faults, and the faults by the names of fields. */
export interface SentForm {
  readonly sent: URLSearchParams;
  readonly faults: Readonly<Record<string, string>>;
}

export function formPage(
  { node, message, untilMs }: PendingDecision,
  language: PageLanguage,
  again?: SentForm,
): string {
  const texts = TEXTS[language];
  const fields = new Map(startFields(node).map((field) => [field.name, field]));
  const control = (field: StartField): string => {
    const mark = field.required ? ` <abbr title="${texts.required}">*</abbr>` : '';
    return `<p><label>${escaped(labelOf(node, field.name))}${mark}<br>${controlOf(field, again?.sent)}</label></p>`;
  };
  // A field has its place in the message, or comes after it.
  const pieces = messagePieces(textOf(message)).map((piece) => {
    if (typeof piece === 'string') return piece.trim() === '' ? '' : `<p class="message">${escaped(piece.trim())}</p>`;
    const field = fields.get(piece.field);
    fields.delete(piece.field);
    return field ? control(field) : '';
  });
  const rest = [...fields.values()].map(control);
  const comment = `<p><label>${texts.comment}<br><textarea rows="3" name="comment" maxlength="2000">${escaped(again?.sent.get('comment') ?? '')}</textarea></label></p>`;
  const faults = Object.entries(again?.faults ?? {}).map(
    ([name, fault]) => `<li>${escaped(labelOf(node, name))}: ${escaped(fault)}</li>`,
  );
  const alert = faults.length === 0 ? '' : `<div role="alert"><p>${texts.faults}</p><ul>${faults.join('')}</ul></div>`;
  const time = `<time datetime="${new Date(untilMs).toISOString()}">${shownTime(untilMs, language)}</time>`;
  return page(
    node.title || node.id,
    `${alert}<form method="post">${[...pieces, ...rest, isForm(node) ? '' : comment].join('\n')}
<p class="actions">${buttons(node, language)}</p></form>
<p><small>${texts.until(time)}</small></p>`,
    language,
  );
}

export function thanksPage(title: string, language: PageLanguage): string {
  return page(title, `<p>${TEXTS[language].thanks}</p>`, language);
}

/** @returns null for a refusal that is not about the link. */
export function refusalPage(refusal: RunRefusal, language: PageLanguage): string | null {
  const found = REFUSALS[language][refusal];
  return found ? page(found[0], `<p>${found[1]}</p>`, language) : null;
}

function buttons(node: PendingDecision['node'], language: PageLanguage): string {
  const texts = TEXTS[language];
  const approval = [
    { id: 'approved', title: texts.approve },
    { id: 'rejected', title: texts.reject },
  ];
  const actions: readonly PersonAction[] = isForm(node) ? formActions(node) : approval;
  if (actions.length === 0) return `<button>${texts.submit}</button>`;
  return actions
    .map(({ id, title }) => `<button name="action" value="${escaped(id)}">${escaped(title)}</button>`)
    .join(' ');
}

function page(title: string, content: string, language: PageLanguage): string {
  return `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:2em auto;padding:0 1em}
.message{white-space:pre-wrap;overflow-wrap:anywhere}button{font:inherit;padding:.4em 1em}[role=alert]{color:#a00}
textarea,select,input[type=text],input[type=number]{width:100%;font:inherit;box-sizing:border-box}</style>
<h1>${escaped(title)}</h1>${content}</html>`;
}

function controlOf(
  { name, type, required, defaultValue, options }: StartField,
  sent: URLSearchParams | undefined,
): string {
  const shared = `name="${escaped(name)}"${required && type !== 'boolean' ? ' required' : ''}`;
  const given: Json = sent ? (sent.get(name) ?? '') : defaultValue;
  const value = escaped(textOf(given));
  switch (type) {
    case 'number':
      return `<input type="number" step="any" ${shared} value="${value}">`;
    case 'boolean':
      return `<input type="checkbox" ${shared}${sent?.has(name) || (!sent && defaultValue === true) ? ' checked' : ''}>`;
    case 'select': {
      const choices = options.map((each) => `<option${each === given ? ' selected' : ''}>${escaped(each)}</option>`);
      return `<select ${shared}>${required ? '' : '<option></option>'}${choices.join('')}</select>`;
    }
    case 'file':
      return `<input type="text" ${shared} placeholder="https://" value="${value}">`;
    default:
      return `<textarea rows="3" ${shared}>${value}</textarea>`;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
