import { describe, expect, it } from 'vitest';
import type { Account } from '../../../functions/accounts/domain/account.ts';
import { withThreshold } from '../../../functions/accounts/domain/low-balance.ts';
import { lowBalanceMail } from '../../../functions/accounts/domain/low-balance-mail.ts';
import { post } from '../../../functions/accounts/domain/posting.ts';
import { ulidIds } from '../../../functions/adapters/shared/system-ports.ts';

const NOW = Date.parse('2026-11-21T03:00:00Z');

function account(balanceKrw: number, lowBalanceThresholdKrw: number | null): Account {
  const rest = { freeCallsUsed: 10, lowBalanceNotified: false, updatedAt: null, version: 1 };
  return { workspaceId: 'ws_1', balanceKrw, lowBalanceThresholdKrw, ...rest };
}

/** Moves money step by step. @returns the balances at which a notice was due. */
function noticesOf(start: Account, steps: readonly (number | { threshold: number | null })[]): number[] {
  const told: number[] = [];
  let current = start;
  for (const step of steps) {
    if (typeof step === 'object') {
      current = withThreshold(current, step.threshold);
      continue;
    }
    const posting = { amountKrw: step, kind: step < 0 ? 'extraction' : 'top_up', reference: 'x' } as const;
    const { after, notices } = post(current, posting, NOW, ulidIds);
    for (const notice of notices) if (!('kind' in notice)) told.push(notice.balanceKrw);
    current = after;
  }
  return told;
}

describe('the low-balance notice', () => {
  it('is due once when charges take the balance down to the threshold, and again after it has been above', () => {
    expect(noticesOf(account(1000, 500), [-200, -200, -200, -200])).toEqual([400]);
    expect(noticesOf(account(1000, 500), [-200, -200, -200, 50, -200, 1000, -200, -900])).toEqual([400, 150]);
  });

  it('is due at the threshold exactly, and for an empty account when the threshold is 0', () => {
    expect(noticesOf(account(700, 500), [-200, -200])).toEqual([500]);
    expect(noticesOf(account(400, 0), [-200, -200])).toEqual([0]);
  });

  it('is not due for a top-up that stays below, nor for a free call, nor without a threshold', () => {
    expect(noticesOf(account(100, 500), [200])).toEqual([]);
    expect(noticesOf(account(100, 500), [0])).toEqual([]);
    expect(noticesOf(account(400, null), [-200, -200])).toEqual([]);
  });

  it('needs more than the threshold to be armed again', () => {
    expect(noticesOf(account(600, 500), [-200, 100, -200, 201, -200])).toEqual([400, 301]);
  });

  it('is due at the next charge when the threshold is set above the balance', () => {
    expect(noticesOf(account(1000, null), [{ threshold: 5000 }, -200, -200])).toEqual([800]);
    expect(noticesOf(account(1000, 100), [{ threshold: 5000 }, -200, -200])).toEqual([800]);
  });

  it('a notice is not due again if the threshold is moved after the mail to the owners', () => {
    expect(noticesOf(account(600, 500), [-200, { threshold: 450 }, -200])).toEqual([400]);
    expect(noticesOf(account(600, 500), [-200, { threshold: 900 }, -200])).toEqual([400]);
  });

  it('is due at a lower threshold that the balance is still above', () => {
    expect(noticesOf(account(600, 500), [-200, { threshold: 300 }, -200])).toEqual([400, 200]);
  });

  it('is due again when the alert was switched off and on', () => {
    expect(noticesOf(account(600, 500), [-200, { threshold: null }, { threshold: 500 }, -200])).toEqual([400, 200]);
  });

  it('has the same id for the same change, and another for the next', () => {
    const charge = (from: Account) =>
      post(from, { amountKrw: -500, kind: 'extraction', reference: 'x' }, NOW, ulidIds).notices[0]?.noticeId;
    expect(charge(account(600, 500))).toBe('ws_1-2');
    expect(charge({ ...account(600, 500), version: 7 })).toBe('ws_1-8');
  });

  it('cannot come of a posting that would overdraw the account', () => {
    const posting = { amountKrw: -601, kind: 'extraction', reference: 'x' } as const;
    expect(() => post(account(600, 500), posting, NOW, ulidIds)).toThrow('-1 KRW');
  });
});

describe('the low-balance e-mail', () => {
  const notice = {
    noticeId: 'ws_1-2',
    workspaceId: 'ws_1',
    balanceKrw: 1_800,
    thresholdKrw: 2_000,
    createdAt: '2026-11-21T15:30:00.000Z',
  };

  it('says in Korean and in English whose balance is how low, and what to do', () => {
    const mail = lowBalanceMail(notice, { workspaceName: '서울 병원', owners: ['owner@example.com'] });
    expect(mail).toMatchObject({ id: 'ws_1-2', to: ['owner@example.com'], date: notice.createdAt });
    expect(mail.subject).toBe('[Tripod] 서울 병원: 잔액 1,800원 / balance 1,800 KRW');
    for (const part of [
      '워크스페이스 "서울 병원"의 선불 잔액이 1,800원',
      '알림 기준 2,000원',
      'workspace "서울 병원" is 1,800 KRW, at or below your threshold of 2,000 KRW',
      'POST /api/v1/balance/top-ups',
      'PATCH /api/v1/balance',
      '2026-11-22 00:30 KST',
    ])
      expect(mail.text).toContain(part);
  });

  it('keeps a workspace’s name to one short line', () => {
    const workspaceName = `A\r\nBcc: everybody@example.com\u2028${'가'.repeat(200)}`;
    const { subject, text } = lowBalanceMail(notice, { workspaceName, owners: [] });
    expect(subject).not.toMatch(/[\r\n\u2028]/);
    expect(subject).toContain('A Bcc: everybody@example.com 가');
    expect(subject.length).toBeLessThan(140);
    expect(text).not.toMatch(/^Bcc:/m);
  });
});
