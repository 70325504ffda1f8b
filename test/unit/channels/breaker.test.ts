import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterAttempt,
  type Breaker,
  closedBreaker,
  DEFAULT_BREAKER,
  type Permission,
  permissionOf,
} from '../../../functions/channels/domain/delivery/breaker.ts';
import { deliveryDelayMs } from '../../../functions/channels/domain/delivery/retries.ts';
import {
  platformFault,
  rateLimited,
  refusedForGood,
  type SendOutcome,
} from '../../../functions/channels/domain/platforms/send-outcome.ts';

const FAULT = platformFault('http_500');
const OK = { kind: 'delivered' } as const;
const SEND = (epoch: number) => ({ kind: 'send', epoch }) as const;

/** A breaker over time, with the attempts that it permits. */
function circuit(settings = DEFAULT_BREAKER) {
  let breaker: Breaker = closedBreaker('slack');
  let nowMs = 1_000_000;
  let messages = 0;
  return {
    get state() {
      return breaker.state;
    },
    ask: (owner = 'a', hasFailed = false, messageId = owner): Permission => {
      const permission = permissionOf(breaker, { owner, messageId, hasFailed }, nowMs, settings);
      if (permission.kind === 'probe' || permission.kind === 'reserved') breaker = permission.next ?? breaker;
      return permission;
    },
    end(permission: Permission, outcome: SendOutcome, messageId = `msg_${++messages}`) {
      if (permission.kind !== 'send' && permission.kind !== 'probe') throw new Error(permission.kind);
      breaker = afterAttempt(breaker, permission, { messageId, outcome }, nowMs, settings) ?? breaker;
    },
    pass(seconds: number) {
      nowMs += seconds * 1000;
    },
    open() {
      for (let i = 0; i < settings.errorThreshold; i++) this.end(this.ask(), FAULT);
      expect(breaker.state).toBe('open');
    },
  };
}

describe('a closed circuit', () => {
  it('opens with the fifth error in a row', () => {
    const it = circuit();
    for (let i = 0; i < 4; i++) it.end(it.ask(), FAULT);
    expect(it.state).toBe('closed');
    it.end(it.ask(), FAULT);
    expect(it.state).toBe('open');
  });

  it('counts errors in a row only: a success starts anew', () => {
    const it = circuit();
    for (const outcome of [FAULT, FAULT, FAULT, FAULT, OK, FAULT, FAULT, FAULT, FAULT]) it.end(it.ask(), outcome);
    expect(it.state).toBe('closed');
  });

  it('counts the retries of one message once: a message that a platform always fails at stops no other conversation', () => {
    const it = circuit();
    for (let i = 0; i < 6; i++) it.end(it.ask(), FAULT, 'the same');
    expect(it.state).toBe('closed');
    for (let i = 0; i < 4; i++) it.end(it.ask(), FAULT);
    expect(it.state).toBe('open');
  });

  it('counts errors of the last minute only', () => {
    const it = circuit();
    for (let i = 0; i < 4; i++) it.end(it.ask(), FAULT);
    it.pass(61);
    it.end(it.ask(), FAULT);
    expect(it.state).toBe('closed');
  });

  it('counts neither 429 nor the channel’s own faults, which do not end a row either', () => {
    const it = circuit();
    for (let i = 0; i < 10; i++) it.end(it.ask(), i % 2 === 0 ? rateLimited(null) : refusedForGood('http_401'));
    expect(it.state).toBe('closed');
    for (const outcome of [FAULT, rateLimited(null), FAULT, FAULT, refusedForGood('x'), FAULT, FAULT])
      it.end(it.ask(), outcome);
    expect(it.state).toBe('open');
  });
});

describe('an open circuit', () => {
  it('lets nothing through for 30 seconds, then one probe', () => {
    const it = circuit();
    it.open();
    expect(it.ask('a').kind).toBe('reserved');
    it.pass(29.9);
    expect(it.ask('a').kind).toBe('reserved');
    expect(it.ask('b').kind).toBe('refused');
    it.pass(0.1);
    expect(it.ask('a').kind).toBe('probe');
    expect(it.state).toBe('half_open');
    expect(it.ask('b').kind).toBe('wait');
  });

  it('is not opened again by an error from before it opened', () => {
    const it = circuit();
    const early = it.ask();
    it.open();
    it.pass(30);
    it.end(it.ask(), OK);
    expect(it.state).toBe('closed');
    for (let i = 0; i < 5; i++) it.end(early, FAULT);
    expect(it.state).toBe('closed');
  });
});

it('a circuit whose time has come takes a message that has not failed as its probe first', () => {
  const it = circuit();
  it.open();
  it.pass(30);
  expect(it.ask('a', true).kind).toBe('refused');
  expect(it.ask('b', false).kind).toBe('probe');
});

it('messages that wait for a probe ask again within a second or two, not when its lease would end', () => {
  const it = circuit();
  it.open();
  it.pass(30);
  it.ask('a');
  const first = it.ask('b');
  expect(first).toMatchObject({ kind: 'wait', untilMs: 1_000_000 + 31_000 });
  it.pass(8);
  expect(it.ask('b')).toMatchObject({ kind: 'wait', untilMs: 1_000_000 + 38_000 + 5_000 });
});

describe('a half-open circuit', () => {
  function halfOpen() {
    const it = circuit();
    it.open();
    it.pass(30);
    return { it, probe: it.ask('a') };
  }

  it('closes when the probe succeeds, and opens when it fails', () => {
    for (const [outcome, state] of [
      [OK, 'closed'],
      [FAULT, 'open'],
    ] as const) {
      const { it, probe } = halfOpen();
      it.end(probe, outcome);
      expect(it.state).toBe(state);
    }
  });

  it('sends the next probe ten seconds after one that said nothing', () => {
    const { it, probe } = halfOpen();
    it.end(probe, rateLimited(null));
    expect(it.ask('b').kind).toBe('wait');
    it.pass(10);
    expect(it.ask('b').kind).toBe('probe');
  });

  it('is not wedged by a prober that dies, whose late outcome does not count', () => {
    const { it, probe } = halfOpen();
    it.pass(10);
    expect(it.ask('b').kind).toBe('wait');
    it.pass(30);
    expect(it.ask('b').kind).toBe('probe');
    it.end(probe, OK);
    expect(it.state).toBe('half_open');
  });
});

it('takes all four settings', () => {
  const it = circuit({ errorThreshold: 2, errorWindowSeconds: 5, recoveryTimeoutSeconds: 7, probeIntervalSeconds: 40 });
  it.end(it.ask(), FAULT);
  it.pass(6);
  it.end(it.ask(), FAULT);
  expect(it.state).toBe('closed');
  it.end(it.ask(), FAULT);
  expect(it.state).toBe('open');
  it.pass(7);
  it.end(it.ask(), rateLimited(null));
  it.pass(39);
  expect(it.ask().kind).toBe('wait');
  it.pass(1);
  expect(it.ask().kind).toBe('probe');
});

it('changes its state only as its table says, with any events in any order', () => {
  const LEGAL = ['closed open', 'open half_open', 'half_open closed', 'half_open open'];
  const event = fc.oneof(
    fc.record({ kind: fc.constant('ask' as const), owner: fc.constantFrom('a', 'b', 'c') }),
    fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(9),
      outcome: fc.constantFrom(OK, FAULT, rateLimited(1)),
    }),
    fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 0, max: 40 }) }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 200 }), (events) => {
      let breaker = closedBreaker('slack');
      let nowMs = 0;
      const permitted: (Permission & { kind: 'send' | 'probe' })[] = [SEND(0)];
      const become = (next: Breaker) => {
        if (next.state !== breaker.state) expect(LEGAL).toContain(`${breaker.state} ${next.state}`);
        expect(next.version).toBe(breaker.version + 1);
        breaker = next;
      };
      for (const step of events) {
        if (step.kind === 'pass') nowMs += step.seconds * 1000;
        else if (step.kind === 'ask') {
          const permission = permissionOf(
            breaker,
            { owner: `${step.owner}${nowMs}`, messageId: `m${step.owner}`, hasFailed: false },
            nowMs,
            DEFAULT_BREAKER,
          );
          if (permission.kind === 'reserved' && permission.next !== null) become(permission.next);
          if (permission.kind === 'probe') {
            expect(breaker.probe === null || breaker.probe.untilMs <= nowMs || breaker.state === 'open').toBe(true);
            become(permission.next);
          }
          if (permission.kind === 'send' || permission.kind === 'probe') permitted.push(permission);
        } else {
          const [permission] = permitted.splice(step.which % Math.max(1, permitted.length), 1);
          const next =
            permission &&
            afterAttempt(
              breaker,
              permission,
              { messageId: `m${step.which}`, outcome: step.outcome },
              nowMs,
              DEFAULT_BREAKER,
            );
          if (next) become(next);
        }
      }
    }),
  );
});

describe('five messages that a platform always fails at', () => {
  const BAD = ['bad1', 'bad2', 'bad3', 'bad4', 'bad5'];
  const poisoned = () => {
    const it = circuit();
    for (const bad of BAD) it.end(it.ask(bad), FAULT, bad);
    expect(it.state).toBe('open');
    return it;
  };

  it('leave the probe to a new message, which waits for it; further new ones are refused', () => {
    const it = poisoned();
    it.pass(5);
    expect(it.ask('good')).toMatchObject({ kind: 'reserved' });
    expect(it.ask('good')).toMatchObject({ kind: 'reserved', next: null });
    expect(it.ask('another').kind).toBe('refused');
    it.pass(25.6);
    expect(it.ask('bad1', true).kind).toBe('refused');
    const probe = it.ask('good');
    expect(probe.kind).toBe('probe');
    it.end(probe, OK, 'good');
    expect(it.state).toBe('closed');
  });

  it('open the circuit once: their retries do not count again after others were delivered', () => {
    const it = poisoned();
    it.ask('good');
    it.pass(30);
    it.end(it.ask('good'), OK, 'good');
    for (const bad of BAD) it.end(it.ask(bad, true), FAULT, bad);
    expect(it.state).toBe('closed');
    for (let i = 0; i < 5; i++) it.end(it.ask(), FAULT);
    expect(it.state).toBe('open');
  });

  it('are probes themselves where no other message comes, or where the one that came is gone', () => {
    const alone = poisoned();
    alone.pass(30.5);
    expect(alone.ask('bad1', true).kind).toBe('probe');
    const it = poisoned();
    it.ask('good');
    it.pass(39.9);
    expect(it.ask('bad1', true).kind).toBe('refused');
    it.pass(0.2);
    expect(it.ask('bad1', true).kind).toBe('probe');
  });
});

describe('the delay before a retry', () => {
  it('is 1, 2, 4, 8 and 16 seconds, up to a tenth longer', () => {
    expect([1, 2, 3, 4, 5].map((retry) => deliveryDelayMs(retry, null, () => 0))).toEqual([
      1000, 2000, 4000, 8000, 16_000,
    ]);
    expect([1, 2, 3, 4, 5].map((retry) => deliveryDelayMs(retry, null, () => 1))).toEqual([
      1100, 2200, 4400, 8800, 17_600,
    ]);
  });

  it('is never more than 30 seconds by itself, and what the platform asks for where that is longer', () => {
    expect(deliveryDelayMs(9, null, () => 1)).toBe(30_000);
    expect(deliveryDelayMs(1, 42_500, () => 0)).toBe(42_500);
    expect(deliveryDelayMs(3, 500, () => 0)).toBe(4000);
  });
});
