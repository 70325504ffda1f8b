import type { Channel } from './channel.ts';
import type { InboundMessage } from './inbound-message.ts';

/** Languages that notices are written in. */
type Language = 'ko' | 'en';

type NoticeKind =
  /** The application failed for good. */
  | 'failed'
  /** The application had nothing to say. */
  | 'empty';

const NOTICES: Readonly<Record<NoticeKind, Readonly<Record<Language, string>>>> = {
  failed: {
    ko: '죄송합니다. 이 메시지에 답변하지 못했습니다. 잠시 후 다시 시도해 주세요.',
    en: 'Sorry, I could not answer this message. Please try again later.',
  },
  empty: {
    ko: '이 메시지에는 드릴 답변이 없습니다. 다른 말로 다시 물어봐 주세요.',
    en: 'I have no answer to this message. Please ask in other words.',
  },
};

const OWN_WORDS = { failed: 'failure_notice', empty: 'empty_notice' } as const;

const HANGUL = /\p{Script=Hangul}/u;

/** In the sender's language if the platform reports it, otherwise in the message's. A channel may have its own texts. */
export function noticeOf(
  kind: NoticeKind,
  { language, text, quotes = [] }: Pick<InboundMessage, 'language' | 'text' | 'quotes'>,
  { settings }: Pick<Channel, 'settings'>,
): string {
  const own = settings[OWN_WORDS[kind]];
  if (own !== undefined) return own;
  const isKorean = language === undefined ? HANGUL.test(text || (quotes[0]?.text ?? '')) : /^ko\b/i.test(language);
  return NOTICES[kind][isKorean ? 'ko' : 'en'];
}
