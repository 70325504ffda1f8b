import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashApiKey, newApiKey } from '../../../functions/accounts/domain/api-key.ts';
import { type ApiKeyRecord, authenticate, isUseDue } from '../../../functions/accounts/domain/authenticate.ts';

const key = newApiKey(randomBytes);

function record(changes: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
  return {
    id: key.id,
    workspaceId: 'ws_1',
    name: 'test',
    scopes: ['extraction'],
    hash: hashApiKey(key.text),
    createdAt: '2026-11-01T00:00:00.000Z',
    validUntil: null,
    revokedAt: null,
    lastUsedAt: null,
    ...changes,
  };
}

/** Counts the look-ups. */
function keys(stored: ApiKeyRecord | null) {
  const asked: string[] = [];
  return {
    asked,
    async find(id: string) {
      asked.push(id);
      return stored;
    },
  };
}

const NOW = Date.parse('2026-11-21T00:00:00Z');

describe('authenticate', () => {
  it('finds the record of a key', async () => {
    expect(await authenticate(key.text, keys(record()), NOW)).toEqual(record());
  });

  it('asks once, and not at all for a malformed key', async () => {
    const store = keys(record());
    await authenticate(key.text, store, NOW);
    expect(store.asked).toEqual([key.id]);
    expect(await authenticate(`${key.text}x`, store, NOW)).toBeNull();
    expect(store.asked).toHaveLength(1);
  });

  it('refuses an unknown key, a revoked one, and one whose secret is another', async () => {
    expect(await authenticate(key.text, keys(null), NOW)).toBeNull();
    expect(await authenticate(key.text, keys(record({ revokedAt: '2026-11-02T00:00:00.000Z' })), NOW)).toBeNull();
    expect(
      await authenticate(key.text, keys(record({ hash: hashApiKey(newApiKey(randomBytes).text) })), NOW),
    ).toBeNull();
  });
});

describe('a key with an end', () => {
  it('is refused from that moment on', async () => {
    const store = keys(record({ validUntil: '2026-11-21T00:00:00.000Z' }));
    expect(await authenticate(key.text, store, NOW - 1)).not.toBeNull();
    expect(await authenticate(key.text, store, NOW)).toBeNull();
  });
});

describe('the time of last use', () => {
  const at = (iso: string) => Date.parse(iso);

  it('is noted at first use and then once a minute', () => {
    expect(isUseDue(record(), at('2026-11-21T00:00:00Z'))).toBe(true);
    const used = record({ lastUsedAt: '2026-11-21T00:00:00.000Z' });
    expect(isUseDue(used, at('2026-11-21T00:00:59Z'))).toBe(false);
    expect(isUseDue(used, at('2026-11-21T00:01:00Z'))).toBe(true);
  });
});
