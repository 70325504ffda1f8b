import type { Recipients } from './low-balance-mail.ts';
import { type Mail, oneLine } from './mail.ts';

/** Notifies the owners of their workspace's deletion. */
export interface WorkspaceNotice {
  readonly noticeId: string;
  readonly kind: 'deletion_requested' | 'deletion_cancelled';
  readonly workspaceId: string;
  readonly deletesAt: string;
  readonly createdAt: string;
}

/** The e-mail in Korean and in English. */
export function workspaceMail(notice: WorkspaceNotice, { workspaceName, owners }: Recipients): Mail {
  const name = oneLine(workspaceName);
  const { noticeId: id, createdAt: date } = notice;
  const time = `${notice.deletesAt.slice(0, 16).replace('T', ' ')} UTC`;
  if (notice.kind === 'deletion_cancelled')
    return {
      id,
      date,
      to: owners,
      subject: `[Tripod] ${name}: 삭제 취소 / deletion cancelled`,
      text: `워크스페이스 "${name}"의 삭제 요청이 취소되었습니다. 데이터는 그대로 있습니다.

The deletion of the workspace "${name}" was cancelled. Its data stays.
`,
    };
  return {
    id,
    date,
    to: owners,
    subject: `[Tripod] ${name}: 삭제 요청 / deletion requested`,
    text: `워크스페이스 "${name}"의 삭제가 요청되었습니다. ${time} 이후 모든 데이터가 삭제되며(회계 원장 제외) 되돌릴 수 없습니다.
그 전까지는 평소처럼 쓸 수 있고, 소유자가 취소할 수 있습니다: DELETE /api/v1/workspace/deletion

The deletion of the workspace "${name}" was requested. After ${time} all of its data except the ledger is deleted, for good.
Until then everything works, and an owner can cancel it: DELETE /api/v1/workspace/deletion

요청하지 않았다면 지금 취소하고 비밀번호와 API 키를 바꾸세요. / If you did not request it, cancel it now, and change passwords and API keys.
`,
  };
}
