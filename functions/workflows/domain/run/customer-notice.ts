import type { RunMachine } from '../engine/run-machine.ts';
import { textOf } from '../graph/references.ts';

type NoticeKind =
  /** A person of the workspace decides, or fills in a form. */
  | 'waits'
  /** The run takes longer than its request. */
  | 'continues';

const NOTICES: Readonly<Record<NoticeKind, Readonly<Record<'ko' | 'en', string>>>> = {
  waits: {
    ko: '요청하신 내용을 담당자가 확인하고 있습니다.',
    en: 'Our staff is reviewing your request.',
  },
  continues: {
    ko: '답변을 준비하고 있습니다. 시간이 조금 더 걸립니다.',
    en: 'The answer is being prepared. It takes a little longer.',
  },
};

const HANGUL = /\p{Script=Hangul}/u;

/**
 * The text about a run that continues without its request, for the person whose message has started it: in the words of the node that waits,
 * otherwise in the language of the message. What the workspace's people are asked is not for this person.
 * @returns '' where nothing is to be said
 */
export function customerNotice(
  { status, pendingDecisions: [first] }: Pick<RunMachine, 'status' | 'pendingDecisions'>,
  { query, hasText }: { readonly query: string; readonly hasText: boolean },
): string {
  if (status !== 'running') return '';
  const own = textOf(first?.node.config.notice ?? '').trim();
  // An answer before the wait has said something already.
  if (hasText) return own === '' ? '' : `\n\n${own}`;
  return own || NOTICES[first ? 'waits' : 'continues'][HANGUL.test(query) ? 'ko' : 'en'];
}
