import { shownTime } from '../../shared/shown-time.ts';
import { type Mail, oneLine } from './mail.ts';

/** Notifies members of an approval or a form that waits for them. */
export interface DecisionNotice {
  readonly noticeId: string;
  readonly kind: 'decision';
  readonly workspaceId: string;
  /** Addresses in their normal form. Only those that belong to members when the mail is sent get it. */
  readonly to: readonly string[];
  readonly title: string;
  readonly message: string;
  readonly url: string;
  readonly untilMs: number;
  readonly createdAt: string;
}

/** The e-mail in Korean and in English. @returns null where no address belongs to a member any more */
export function decisionMail(
  { noticeId, to, title, message, url, untilMs, createdAt }: DecisionNotice,
  { workspaceName, members }: { readonly workspaceName: string; readonly members: readonly string[] },
): Mail | null {
  const recipients = to.filter((address) => members.includes(address));
  if (recipients.length === 0) return null;
  const [workspace, subject] = [workspaceName, title].map(oneLine);
  return {
    id: noticeId,
    to: recipients,
    subject: `[Tripod] ${workspace}: ${subject}`,
    date: createdAt,
    text: `워크플로가 답을 기다립니다. ${shownTime(untilMs, 'ko')}까지 답할 수 있습니다. 링크는 한 번만 쓸 수 있고, 누구나 열 수 있으니 전달하지 마세요.

A workflow waits for an answer, until ${shownTime(untilMs, 'en')}. The link works once, for anyone who has it: do not forward it.

${message}

${url}
`,
  };
}
