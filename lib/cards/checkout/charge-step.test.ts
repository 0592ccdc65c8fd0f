import { describe, expect, it } from 'vitest';
import type { Begun } from '#lib/begin-check/begin-check.ts';
import type { Clocks } from '#lib/movements/claim-rules.ts';
import { cardChargeStep } from './charge-step.ts';
import type { CardChargeEffect } from './charge-step.ts';

/** The order of effects of a card charge, and what is recorded for each outcome. */

const FINE: Begun = {
  row: 'own',
  stopped: false,
  checkpoint: 'present',
  account: 'bound',
  confirmed: true,
  journal: 'written',
};
const approved = {
  kind: 'approved',
  held: false,
  orderId: 'o',
  card: null,
  authCode: null,
  raw: '{}',
  code: '100',
  message: null,
};

function play(given: {
  begun?: Begun;
  claimed?: boolean;
  request?: (mayWrite: () => boolean) => unknown;
  now?: () => Clocks;
}): { kinds: string[]; outcome: unknown } {
  const order = cardChargeStep<string>(given.now ?? (() => ({ monotonic: 0, wall: 0 })));
  const kinds: string[] = [];
  let next = order.next();
  while (!next.done) {
    const effect: CardChargeEffect<string> = next.value;
    kinds.push(effect.kind);
    if (effect.kind === 'claim') next = order.next(given.claimed === false ? null : 'task');
    else if (effect.kind === 'begin') next = order.next(given.begun ?? FINE);
    else if (effect.kind !== 'request') next = order.next();
    else {
      let answer: unknown;
      try {
        answer = given.request?.(effect.mayWrite) ?? approved;
      } catch (error) {
        next = order.throw(error);
        continue;
      }
      next = order.next(answer);
    }
  }
  return { kinds, outcome: next.value };
}

describe('a card charge', () => {
  it('is claimed, begins, is requested once and recorded; one that was sent before does nothing', () => {
    expect(play({})).toEqual({ kinds: ['claim', 'begin', 'request', 'record'], outcome: approved });
    expect(play({ claimed: false })).toEqual({ kinds: ['claim'], outcome: null });
  });

  it('whose request throws is unclear, never "not sent"', () => {
    expect(
      play({
        request: () => {
          throw new Error('torn');
        },
      }),
    ).toMatchObject({
      kinds: ['claim', 'begin', 'request', 'record'],
      outcome: { kind: 'unclear' },
    });
  });

  it('that may not begin is recorded as not sent', () => {
    expect(play({ begun: { ...FINE, stopped: true } })).toMatchObject({
      kinds: ['claim', 'begin', 'record'],
      outcome: { kind: 'not_sent', why: 'held_back', refusal: 'stopped' },
    });
  });

  it('of a machine that was suspended may not write its first byte', () => {
    let wall = 0;
    const allowed: boolean[] = [];
    play({
      now: () => ({ monotonic: 0, wall }),
      request: (mayWrite) => {
        allowed.push(mayWrite());
        wall = 60_000;
        allowed.push(mayWrite());
        return approved;
      },
    });
    expect(allowed).toEqual([true, false]);
  });
});
