import type { Ids } from '../../shared/ports/ids.ts';
import type { User } from './user.ts';

/** Asks for the mail by which an owner confirms the address. */
export interface ConfirmationNotice {
  readonly noticeId: string;
  readonly kind: 'confirmation';
  readonly userId: string;
  /** In its normal form. */
  readonly email: string;
  readonly createdAt: string;
  /** True: no mail is sent, since the address got too many. */
  readonly isSilent?: true;
}

/** A workspace that waits for its owner's confirmation is kept for so long, and so is the link. */
export const CONFIRMATION_SECONDS = 7 * 24 * 60 * 60;

export function confirmationNotice(of: Pick<User, 'userId' | 'email' | 'createdAt'>, ids: Ids): ConfirmationNotice {
  const { userId, email, createdAt } = of;
  return { noticeId: ids.next('ntc'), kind: 'confirmation', userId, email, createdAt };
}
