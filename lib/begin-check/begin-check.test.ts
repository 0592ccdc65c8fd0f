import { describe, expect, it } from 'vitest';
import { beginAndRequest, mayBegin } from './begin-check.ts';
import type { BeginFacts, Begun } from './begin-check.ts';
import type { Clocks } from '#lib/movements/claim-rules.ts';
import type { SendEffect } from '#lib/movements/one-step.ts';

/** The begin check runs before the first byte of a request, and no request can bypass it. */

const AT: Clocks = { monotonic: 1_000, wall: 1_000 };
const FINE: Begun = {
  row: 'own',
  stopped: false,
  checkpoint: 'present',
  account: 'bound',
  confirmed: true,
  journal: 'written',
};
const facts = (more: Partial<BeginFacts> = {}): BeginFacts => ({
  ...FINE,
  began: AT,
  now: AT,
  ...more,
});

describe('a send may begin', () => {
  it('when everything is in order', () => {
    expect(mayBegin(facts())).toBeNull();
  });

  it.each<[string, Partial<BeginFacts>, string]>([
    ['its row is not its own any more', { row: 'changed' }, 'row_changed'],
    ['sending is stopped', { stopped: true }, 'stopped'],
    ['the database lacks what is known outside it', { checkpoint: 'missing' }, 'restored'],
    ['the books are about another account', { account: 'other' }, 'other_account'],
    ['nobody has confirmed the account yet', { account: 'unconfirmed' }, 'other_account'],
    [
      'it is older than a recovery and nobody has said "send it"',
      { confirmed: false },
      'not_confirmed',
    ],
    ['its journal line is not on disk', { journal: 'failed' }, 'not_journaled'],
    [
      'the monotonic clock says that it is late',
      { now: { monotonic: 60_000, wall: 1_000 } },
      'too_late',
    ],
    [
      'the wall clock alone says so: the machine was suspended',
      { now: { monotonic: 1_000, wall: 60_000 } },
      'too_late',
    ],
  ])('not when %s', (_what, more, refusal) => {
    expect(mayBegin(facts(more))).toBe(refusal);
  });
});

describe('the way to a request', () => {
  const run = (
    begun: Begun | Error,
    clocks: Clocks[],
  ): { effects: SendEffect<string>[]; result: unknown } => {
    const order = beginAndRequest<string, string>('task', {
      began: AT,
      clocks: () => clocks.shift() ?? AT,
    });
    const effects: SendEffect<string>[] = [];
    let next = order.next();
    while (!next.done) {
      effects.push(next.value);
      if (next.value.kind === 'begin')
        next = begun instanceof Error ? order.throw(begun) : order.next(begun);
      else next = order.next('answer');
    }
    return { effects, result: next.value };
  };

  it('begins, requests, and asks the clocks once more before the first byte', () => {
    const { effects, result } = run(FINE, [AT, AT, { monotonic: 1_000, wall: 60_000 }]);
    expect([effects.map((one) => one.kind), result]).toEqual([['begin', 'request'], 'answer']);
    const [, request] = effects;
    expect(request?.kind === 'request' && [request.mayWrite(), request.mayWrite()]).toEqual([
      true,
      false,
    ]);
  });

  it.each<[string, Begun | Error, string]>([
    ['refused', { ...FINE, stopped: true }, 'stopped'],
    ['not read', new Error('the database is away'), 'not_read'],
  ])('ends without a request when its facts are %s', (_what, begun, refusal) => {
    const { effects, result } = run(begun, []);
    expect([effects.map((one) => one.kind), result]).toMatchObject([
      ['begin'],
      { kind: 'not_sent', why: 'held_back', refusal },
    ]);
  });
});
