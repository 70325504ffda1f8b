import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DeliveryPorts, deliverNotices } from '../../../functions/accounts/domain/deliver-notices.ts';
import type { Mail } from '../../../functions/accounts/domain/mail.ts';
import type { User } from '../../../functions/accounts/domain/user.ts';
import { DynamoContacts } from '../../../functions/adapters/accounts/dynamo-contacts.ts';
import { DynamoOutbox } from '../../../functions/adapters/accounts/dynamo-outbox.ts';
import { userKey, workspaceKey } from '../../../functions/adapters/dynamodb/keys.ts';
import { FileMailer } from '../../../functions/adapters/mail/file-mailer.ts';
import { extract } from '../../../functions/extraction/domain/extract.ts';
import { testClock } from '../../helpers/clock.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo, TABLES } from '../../helpers/embedded-dynamo.ts';
import { extractCommand, extractPorts, LEASE_SECONDS, openAccount } from '../../helpers/extract-flow.ts';
import { type Fault, faultyPorts } from '../../helpers/faulty-ports.ts';
import { sampledCalls } from '../../helpers/sampled-calls.ts';

const FAULTS = ['killed before', 'killed after', 'fails before', 'answer lost'] as const satisfies Fault[];

let dynamo: EmbeddedDynamo;
let outbox: DynamoOutbox;
const clock = testClock();

beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
  outbox = new DynamoOutbox(dynamo.client, TABLES.accounts);
});
afterAll(() => dynamo.stop());
afterEach(async () => {
  for (const { notice } of await waiting()) await outbox.remove(notice.noticeId);
});

/** A workspace of two owners whose next charge takes the balance to the threshold. */
async function openLowAccount(): Promise<string> {
  const workspaceId = await openAccount(dynamo, { balanceKrw: 700, freeCallsUsed: 10, lowBalanceThresholdKrw: 500 });
  const put = (Item: object) => dynamo.client.send(new PutCommand({ TableName: TABLES.accounts, Item }));
  await put({ ...workspaceKey(workspaceId), workspaceId, name: '데모 병원' });
  const users: [string, User['role']][] = [
    ['owner@example.com', 'owner'],
    ['second@example.com', 'owner'],
    ['viewer@example.com', 'viewer'],
  ];
  for (const [email, role] of users) await put({ ...userKey(workspaceId, email), email, role });
  return workspaceId;
}

/** Waiting notices of any workspace, including those already tried. */
const waiting = () => outbox.due(clock.now() + 24 * 60 * 60_000);

describe('the charge that crosses the threshold', () => {
  for (const fault of FAULTS) {
    it(`${fault}: at every port call, a retry leaves exactly one notice and exactly one charge`, async () => {
      const run = async (at: number, met: Fault | null) => {
        const workspaceId = await openLowAccount();
        const { ports, calls } = faultyPorts(extractPorts(dynamo, clock), met, at);
        await extract(extractCommand(workspaceId, 'key-1', clock), ports).catch(() => undefined);
        return { workspaceId, calls };
      };
      const { calls } = await run(0, null);
      for (const { notice } of await waiting()) await outbox.remove(notice.noticeId);

      for (const at of sampledCalls(calls.length)) {
        const { workspaceId } = await run(at, fault);
        clock.advance(LEASE_SECONDS + 1);
        await extract(extractCommand(workspaceId, 'key-1', clock), extractPorts(dynamo, clock));
        // One more charge below the threshold: no further notice.
        await extract(extractCommand(workspaceId, null, clock), extractPorts(dynamo, clock));
        const notices = await waiting();
        expect(notices, `${fault} ${calls[at]}`).toMatchObject([
          { notice: { workspaceId, balanceKrw: 500, thresholdKrw: 500 }, attempts: 0 },
        ]);
        await outbox.remove(notices[0]!.notice.noticeId);
      }
    });
  }

  it('forty charges that end at the same moment cause one notice', async () => {
    const { jitteredBackoff } = await import('../../../functions/adapters/shared/system-ports.ts');
    const workspaceId = await openAccount(dynamo, {
      balanceKrw: 40 * 200,
      freeCallsUsed: 10,
      lowBalanceThresholdKrw: 4000,
    });
    const ports = { ...extractPorts(dynamo, clock), backoff: jitteredBackoff };
    await Promise.all(Array.from({ length: 40 }, () => extract(extractCommand(workspaceId, null, clock), ports)));
    expect(await waiting()).toMatchObject([{ notice: { workspaceId, balanceKrw: 4000 } }]);
  });
});

describe('the delivery', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tripod-mail-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  /** Like SES: accepts everything, and cannot detect a repetition. */
  function carrier() {
    const sent: Mail[] = [];
    return { sent, mailer: { send: async (mail: Mail) => void sent.push(mail) } };
  }

  const deliveryPorts = (mailer: DeliveryPorts['mailer']): DeliveryPorts => ({
    outbox,
    contacts: new DynamoContacts(dynamo.client, TABLES.accounts),
    linkMail: async () => null,
    mailer,
    clock,
  });

  async function cross(): Promise<string> {
    const workspaceId = await openLowAccount();
    await extract(extractCommand(workspaceId, null, clock), extractPorts(dynamo, clock));
    return workspaceId;
  }

  it('the mail goes to the owners only, and the outbox is empty afterwards', async () => {
    await cross();
    const { sent, mailer } = carrier();
    expect(await deliverNotices(deliveryPorts(mailer))).toEqual({ delivered: sent, failed: [] });
    expect(sent).toMatchObject([
      { to: ['owner@example.com', 'second@example.com'], subject: expect.stringContaining('데모 병원: 잔액 500원') },
    ]);
    expect(await waiting()).toEqual([]);
  });

  for (const fault of FAULTS) {
    it(`${fault}: at every port call, the mail is never lost; twice only when the carrier’s yes was not heard`, async () => {
      await cross();
      const { calls } = await meet(null, 0);
      expect(calls).toContain('mailer.send');

      for (const at of sampledCalls(calls.length)) {
        await cross();
        const { sent } = await meet(fault, at);
        // Rounds continue every few minutes, as long as it takes.
        for (let round = 0; round < 3; round++) {
          clock.advance(5 * 60);
          await deliverNotices(deliveryPorts({ send: async (mail) => void sent.push(mail) }));
        }
        const here = `${fault} ${calls[at]}`;
        const wasUnheard =
          (calls[at] === 'mailer.send' && (fault === 'killed after' || fault === 'answer lost')) ||
          (calls[at] === 'outbox.remove' && (fault === 'killed before' || fault === 'fails before'));
        expect(sent.length, here).toBe(wasUnheard ? 2 : 1);
        expect(new Set(sent.map(({ id }) => id)).size, here).toBe(1);
        expect(await waiting(), here).toEqual([]);
      }
    });

    it(`${fault}: a carrier that knows the ids delivers exactly once`, async () => {
      await cross();
      const { calls } = await meet(null, 0);
      for (const at of sampledCalls(calls.length)) {
        const here = join(directory, `${fault}-${at}`.replaceAll(' ', '-'));
        const mailer = new FileMailer(here, 'alerts@tripod.example');
        const workspaceId = await cross();
        const { ports } = faultyPorts(deliveryPorts(mailer), fault, at);
        await deliverNotices(ports).catch(() => undefined);
        clock.advance(5 * 60);
        await deliverNotices(deliveryPorts(mailer));
        expect(await readdir(here)).toEqual([`${workspaceId}-2.eml`]);
        expect(await waiting()).toEqual([]);
      }
    });
  }

  async function meet(fault: Fault | null, at: number) {
    const { sent, mailer } = carrier();
    const { ports, calls } = faultyPorts(deliveryPorts(mailer), fault, at);
    await deliverNotices(ports).catch(() => undefined);
    return { sent, calls };
  }

  it('ten at once send one mail', async () => {
    await cross();
    const { sent, mailer } = carrier();
    await Promise.all(Array.from({ length: 10 }, () => deliverNotices(deliveryPorts(mailer))));
    expect(sent).toHaveLength(1);
  });

  it('a failing notice is retried at growing intervals, then given up, and never blocks the others', async () => {
    const refused = await cross();
    const { sent, mailer } = carrier();
    const picky = {
      send: async (mail: Mail) => {
        if (mail.id.startsWith(refused)) throw new Error('Address on the suppression list');
        await mailer.send(mail);
      },
    };
    await cross();
    const tries: number[] = [];
    const begun = clock.now();
    while (clock.now() - begun < 48 * 3_600_000) {
      const { failed } = await deliverNotices(deliveryPorts(picky));
      for (const { givenUp } of failed) {
        tries.push(Math.round((clock.now() - begun) / 60_000));
        expect(givenUp).toBe(tries.length === 10);
      }
      // As long as it is tried within hours the schedule looks every minute, as in the service; later that makes no difference.
      clock.advance(clock.now() - begun < 2 * 3_600_000 ? 60 : 600);
    }
    expect(sent).toHaveLength(1);
    expect(tries.slice(0, 5)).toEqual([0, 1, 5, 21, 85]);
    expect(tries).toHaveLength(10);
    expect(await waiting()).toEqual([]);
  });
});
