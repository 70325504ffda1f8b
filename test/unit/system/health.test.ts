import { describe, expect, it } from 'vitest';
import { checkHealth } from '../../../functions/system/domain/health.ts';

const works = async () => 'anything';
const broken = async () => {
  throw new Error('secret-host:8000 refused');
};

describe('checkHealth', () => {
  it('is ok when every check is', async () => {
    expect(await checkHealth({ accounts: works, drugMaster: works }, 1000)).toEqual({
      status: 'ok',
      checks: { accounts: 'ok', drugMaster: 'ok' },
      reasons: {},
    });
  });

  it('says which check fails, and keeps the reason apart from what callers see', async () => {
    const { status, checks, reasons } = await checkHealth({ accounts: works, drugMaster: broken }, 1000);
    expect({ status, checks }).toEqual({ status: 'failing', checks: { accounts: 'ok', drugMaster: 'failing' } });
    expect(reasons).toEqual({ drugMaster: new Error('secret-host:8000 refused') });
  });

  it('does not wait for a check that never answers', async () => {
    const { status, reasons } = await checkHealth({ accounts: () => new Promise(() => {}), drugMaster: works }, 20);
    expect(status).toBe('failing');
    expect(String(reasons.accounts)).toContain('No answer within 20 ms');
  });
});
