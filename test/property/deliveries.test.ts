import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Breaker, PROBE_LEASE_MS } from '../../functions/channels/domain/delivery/breaker.ts';
import {
  DELIVERED,
  platformFault,
  rateLimited,
  refusedForGood,
} from '../../functions/channels/domain/platforms/send-outcome.ts';
import { channelFlow } from '../helpers/channel-flow.ts';
import { type EmbeddedDynamo, startEmbeddedDynamo } from '../helpers/embedded-dynamo.ts';
import type { Fault } from '../helpers/faulty-ports.ts';

let dynamo: EmbeddedDynamo;
beforeAll(async () => {
  dynamo = await startEmbeddedDynamo();
});
afterAll(() => dynamo.stop());

const LEGAL = ['closed open', 'open half_open', 'half_open closed', 'half_open open'];
const OUTCOMES = {
  ok: DELIVERED,
  fault: platformFault('http_500'),
  limited: rateLimited(3_000),
  refused: refusedForGood('http_400'),
} as const;
type Outcome = keyof typeof OUTCOMES;

/** An outage lasts for whole rounds: single faults open no circuit. */
const outcomes = fc.oneof(
  { weight: 3, arbitrary: fc.constant(Array<Outcome>(4).fill('fault')) },
  { weight: 2, arbitrary: fc.constant(Array<Outcome>(4).fill('ok')) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom<Outcome>('ok', 'fault', 'limited', 'refused'), { minLength: 4, maxLength: 4 }),
  },
);
const crash = fc.option(
  fc.record({
    fault: fc.constantFrom<Fault>('killed before', 'killed after', 'fails before', 'answer lost'),
    at: fc.integer({ min: 0, max: 8 }),
  }),
  { nil: null, freq: 6 },
);
const round = fc.record({
  messages: fc.array(fc.constantFrom('c1', 'c2', 'c3', 'c4', 'c5', 'c6'), { minLength: 1, maxLength: 4 }),
  seconds: fc.integer({ min: 0, max: 20 }),
  outcomes,
  crashes: fc.array(crash, { minLength: 4, maxLength: 4 }),
});

it('with several workers at once and any failures and deaths, no message is lost or overtaken, and at most one probe runs', async () => {
  const seen = { probes: 0, opened: 0, died: 0, crashes: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 5, maxLength: 8 }), async (rounds) => {
      const flow = await channelFlow(dynamo);
      // Sooner open and sooner tried than by default: rounds are few.
      flow.ports.breakerSettings = {
        ...{ errorThreshold: 2, errorWindowSeconds: 60, recoveryTimeoutSeconds: 8, probeIntervalSeconds: 4 },
      };
      const said = new Map<string, string[]>();
      const probing = new Map<string, number>();
      let isOver = false;
      let script: Outcome[] = [];
      let crashed = 0;

      // Every change of the breaker, in the order in which it is stored.
      const replace = flow.breakers.replace.bind(flow.breakers);
      flow.ports.breakers.replace = async (before: Breaker | null, next: Breaker) => {
        const isStored = await replace(before, next);
        const from = before?.state ?? 'closed';
        if (isStored && from !== next.state) {
          expect(LEGAL).toContain(`${from} ${next.state}`);
          if (next.state === 'open') seen.opened += 1;
        }
        if (isStored && next.probe && next.probe.owner !== before?.probe?.owner) {
          // The probe before, if any, is over or its lease is.
          const others = [...probing].filter(([, untilMs]) => untilMs > flow.clock.now());
          expect(others).toEqual([]);
          probing.set(next.probe.owner, flow.clock.now() + PROBE_LEASE_MS);
          seen.probes += 1;
        }
        if (isStored && next.state !== 'half_open') probing.clear();
        if (isStored && next.probe && next.probe.untilMs <= flow.clock.now()) probing.clear();
        return isStored;
      };
      const taken = new Map<string, number>();
      flow.how.send = async ({ id }) => {
        const outcome = isOver ? 'ok' : (script.shift() ?? 'ok');
        if (outcome === 'ok') taken.set(id, (taken.get(id) ?? 0) + 1);
        return OUTCOMES[outcome];
      };

      for (const { messages, seconds, outcomes, crashes } of rounds) {
        for (const conversation of messages) {
          const texts = said.get(conversation) ?? [];
          texts.push(`${conversation} ${texts.length}`);
          said.set(conversation, texts);
          await flow.say(texts.at(-1)!, conversation);
        }
        for (let message = flow.take('inbound'); message !== null; message = flow.take('inbound'))
          await flow.run(message, null, -1);
        script = [...outcomes];
        await Promise.all(
          crashes.map(async (crash) => {
            const message = flow.take('outbound');
            if (message === null) return;
            const { verdict } = await flow.run(message, crash?.fault ?? null, crash?.at ?? -1);
            if (crash !== null) crashed += 1;
            if (verdict === 'retry') flow.put(message, 330);
          }),
        );
        flow.clock.advance(seconds);
      }
      isOver = true;
      expect(await flow.settle()).toEqual([]);

      const dead = await flow.deadLetters.list(flow.channel.workspaceId, {}, 1_000, null);
      const deadTexts = dead.map(({ message }) => ('text' in message ? message.text : ''));
      seen.died += dead.length;
      seen.crashes += crashed;
      const delivered = flow.sent.filter((part) => !deadTexts.includes(part.texts[0]!));
      for (const [conversation, texts] of said) {
        const replies = texts.map((text) => `re: ${text}`);
        const arrived = delivered
          .filter((part) => part.conversationId === conversation)
          .map(({ texts: [text] }) => text!);
        // Each is delivered or dead, and not both.
        expect([...new Set([...arrived, ...deadTexts.filter((text) => replies.includes(text))])].sort()).toEqual(
          replies.toSorted(),
        );
        // In their order, by the last time that each was sent.
        const last = replies.filter((text) => arrived.includes(text)).map((text) => arrived.lastIndexOf(text));
        expect(last).toEqual(last.toSorted((a, b) => a - b));
      }
      expect(new Set(deadTexts).size).toBe(deadTexts.length);
      // The platform takes one again only where a crash lost the record of it.
      const again = [...taken.values()].reduce((sum, times) => sum + times - 1, 0);
      expect(again).toBeLessThanOrEqual(crashed);
    }),
    { numRuns: 8, endOnFailure: true },
  );
  console.log('Deliveries under faults:', JSON.stringify(seen));
  expect(Math.min(seen.probes, seen.opened, seen.crashes)).toBeGreaterThan(0);
}, 120_000);
