import { describe, expect, it } from 'vitest';
import { checkHealth, PublicReason, SWITCHED_OFF } from '../../../functions/system/domain/health.ts';

const works = async () => 'anything';
const broken = async () => {
  throw new Error('secret-host:8000 refused');
};

describe('checkHealth', () => {
  it('is ok when every check is', async () => {
    expect(await checkHealth({ accounts: works, drugMaster: works }, { timeoutMs: 1000 })).toEqual({
      status: 'ok',
      checks: { accounts: 'ok', drugMaster: 'ok' },
      reasons: {},
      publicReasons: {},
    });
  });

  it('says which check fails, and keeps the reason apart from what callers see', async () => {
    const { status, checks, reasons } = await checkHealth({ accounts: works, drugMaster: broken }, { timeoutMs: 1000 });
    expect({ status, checks }).toEqual({ status: 'failing', checks: { accounts: 'ok', drugMaster: 'failing' } });
    expect(reasons).toEqual({ drugMaster: new Error('secret-host:8000 refused') });
  });

  it('is ok where a dependency is switched off', async () => {
    const { status, checks } = await checkHealth({ sandbox: async () => SWITCHED_OFF }, { timeoutMs: 1000 });
    expect({ status, checks }).toEqual({ status: 'ok', checks: { sandbox: 'off' } });
  });

  it('reports an optional check that fails, with its public reason, and stays ok', async () => {
    const lacking = async () => {
      throw new PublicReason('Programs cannot be confined on this machine.');
    };
    const health = await checkHealth({ accounts: works, sandbox: lacking }, { timeoutMs: 1000, optional: ['sandbox'] });
    expect(health).toMatchObject({
      status: 'ok',
      checks: { accounts: 'ok', sandbox: 'failing' },
      publicReasons: { sandbox: 'Programs cannot be confined on this machine.' },
    });
    expect((await checkHealth({ accounts: broken }, { timeoutMs: 1000 })).publicReasons).toEqual({});
  });

  it('does not wait for a check that never answers', async () => {
    const { status, reasons } = await checkHealth(
      { accounts: () => new Promise(() => {}), drugMaster: works },
      {
        timeoutMs: 20,
      },
    );
    expect(status).toBe('failing');
    expect(String(reasons.accounts)).toContain('No answer within 20 ms');
  });
});
