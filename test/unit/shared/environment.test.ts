import { afterEach, describe, expect, it, vi } from 'vitest';
import { environment } from '../../../functions/shared/environment.ts';

afterEach(() => vi.unstubAllEnvs());

describe('environment', () => {
  it('gives the requested settings, with defaults', () => {
    vi.stubEnv('ACCOUNTS_TABLE', 'tripod-accounts');
    vi.stubEnv('TRIPOD_LOCAL', '1');
    vi.stubEnv('DEBUG', undefined);
    expect(environment('ACCOUNTS_TABLE', 'TRIPOD_LOCAL', 'DEBUG')).toEqual({
      ACCOUNTS_TABLE: 'tripod-accounts',
      TRIPOD_LOCAL: true,
      DEBUG: false,
    });
  });

  it('names every setting that is missing or wrong, and needs no other', () => {
    vi.stubEnv('ACCOUNTS_TABLE', undefined);
    vi.stubEnv('EXTRACTIONS_TABLE', '');
    vi.stubEnv('IDEMPOTENCY_TABLE', undefined);
    vi.stubEnv('READER', 'tesseract');
    const ask = () => environment('ACCOUNTS_TABLE', 'EXTRACTIONS_TABLE', 'READER');
    expect(ask).toThrow('ACCOUNTS_TABLE is not set. EXTRACTIONS_TABLE is not set. READER:');
    expect(ask).not.toThrow('IDEMPOTENCY_TABLE');
  });
});
