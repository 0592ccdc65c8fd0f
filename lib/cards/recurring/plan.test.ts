import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gatewayTime } from '#lib/values/gateway-time.ts';
import type { Plan, PlanCharge } from '#lib/providers/card/plan-record.ts';
import { objection, verdict } from './charge.ts';
import { chargesOf, learnPlan, nextCharge } from './plan.ts';
import type { KnownPlan } from './plan.ts';
import { readPlanCodes } from './plan-codes.ts';
import { nextPlanLook } from './schedule.ts';
import { readTerms } from './terms.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.parse('2026-11-21T12:00:00Z');
const NOTHING: KnownPlan = {
  status: null,
  problem: null,
  currency: 'TRY',
  firstMinor: null,
  recurringMinor: null,
  totalMinor: null,
  payments: null,
  every: null,
  cycle: null,
  firstOrderId: null,
  card: null,
  nextChargeAt: null,
  startedAt: null,
  charges: [],
  verifiedAt: null,
};
const charge = (
  number: number,
  status: PlanCharge['status'],
  more: Partial<PlanCharge> = {},
): PlanCharge => ({
  id: null,
  saleId: `VP${number}`,
  number,
  amountMinor: 10_000n,
  status,
  at: '2026-11-21 15:00:00',
  attempts: 1,
  remarks: null,
  ...more,
});
const plan = (charges: PlanCharge[], more: Partial<Plan> = {}): Plan => ({
  recurringId: '7',
  planCode: 'P',
  status: 'active',
  currency: 'TRY',
  firstMinor: 10_000n,
  recurringMinor: 10_000n,
  totalMinor: 30_000n,
  payments: 3,
  interval: 1,
  cycle: 'month',
  firstOrderId: 'VP1',
  merchantId: '48',
  card: '450803******4509',
  nextAt: '2026-12-21 15:00:00',
  startedAt: '2026-11-21 15:00:00',
  charges,
  ...more,
});
const known = (charges: PlanCharge[], more: Partial<Plan> = {}): KnownPlan =>
  learnPlan(NOTHING, { kind: 'answered', value: plan(charges, more) }, NOW);

describe('what is known of a plan', () => {
  it('is its record, with the gateway’s Turkish times and four digits of the card', () => {
    expect(known([charge(1, 'completed'), charge(2, 'pending', { saleId: null })])).toMatchObject({
      status: 'active',
      card: '4509',
      nextChargeAt: Date.parse('2026-12-21T12:00:00Z'),
      charges: [{ at: '2026-11-21T12:00:00.000Z' }, { orderId: null }],
    });
    expect(gatewayTime('yesterday')).toBeNull();
  });

  it('has no text that the database cannot hold, and cuts a remark at no half of a letter', () => {
    const remarks = [`${'x'.repeat(299)}😀`, 'limit\u0000', 'yarım \ud83d', String.raw`C:\u0000x`];
    const { charges } = known(remarks.map((one, n) => charge(n, 'failed', { remarks: one })));
    expect(charges.map((one) => one.remarks)).toEqual([
      `${'x'.repeat(299)}\ufffd`,
      'limit',
      'yarım \ufffd',
      String.raw`C:\u0000x`,
    ]);
  });

  it('stays when nobody answers, and when a record denies a charge that was taken', () => {
    const before = known([charge(1, 'completed'), charge(2, 'completed')]);
    expect(learnPlan(before, { kind: 'no_answer', why: 'timeout' }, NOW)).toMatchObject({
      status: 'active',
      problem: 'no_answer',
    });
    expect(learnPlan(before, { kind: 'not_found' }, NOW)).toMatchObject({
      status: 'active',
      problem: 'contradiction',
    });
    for (const charges of [
      [charge(1, 'completed')],
      [charge(1, 'completed'), charge(2, 'pending')],
      [charge(1, 'completed'), charge(2, 'failed')],
      [],
    ]) {
      expect(learnPlan(before, { kind: 'answered', value: plan(charges) }, NOW)).toMatchObject({
        problem: 'contradiction',
        charges: before.charges,
      });
    }
    expect(learnPlan(NOTHING, { kind: 'not_found' }, NOW)).toMatchObject({
      status: null,
      problem: 'not_found',
    });
  });

  it('names the next charge while the plan runs, and none otherwise', () => {
    expect(
      nextCharge(
        known([
          charge(1, 'completed'),
          charge(3, 'pending'),
          charge(2, 'pending', { amountMinor: 5n }),
        ]),
      ),
    ).toEqual({ number: 2, amountMinor: 5n });
    expect(nextCharge(known([charge(1, 'completed')]))).toEqual({
      number: null,
      amountMinor: 10_000n,
    });
    expect(nextCharge(known([charge(1, 'completed')], { status: 'inactive' }))).toBeNull();
  });
});

describe('a charge that was asked for', () => {
  const asked = { number: 2, amountMinor: 10_000n, currency: 'TRY' };
  const before = [charge(1, 'completed'), charge(2, 'pending', { at: '2026-12-21 15:00:00' })];

  it('may leave for what the person saw, and not around the minute in which the gateway charges by itself', () => {
    expect(objection(asked, known(before), NOW)).toBeNull();
    expect(objection(asked, known(before, { nextAt: '2026-11-21 15:05:00' }), NOW)).toBe(
      'due_by_itself',
    );
    expect(objection(asked, known(before, { nextAt: '2026-11-21 14:59:00' }), NOW)).toBe(
      'due_by_itself',
    );
    // An overdue charge that is not on the record: the gateway may have taken it and lists it late.
    expect(objection(asked, known(before, { nextAt: '2026-11-21 11:40:00' }), NOW)).toBe(
      'due_by_itself',
    );
    // A long overdue charge: the gateway's own attempts have failed, and "process" exists for this
    // case.
    expect(objection(asked, known(before, { nextAt: '2026-11-20 15:00:00' }), NOW)).toBeNull();
    expect(objection({ ...asked, amountMinor: 9_999n }, known(before), NOW)).toBe('plan_changed');
    expect(objection({ ...asked, currency: 'USD' }, known(before), NOW)).toBe('plan_changed');
    expect(
      objection(
        asked,
        known([charge(1, 'completed'), charge(2, 'completed'), charge(3, 'pending')]),
        NOW,
      ),
    ).toBe('plan_changed');
    expect(objection(asked, known(before, { status: 'completed' }), NOW)).toBe('not_active');
  });

  it('is never cancelled by a record while its request may arrive, nor before three were read', () => {
    const status = fc.constantFrom<PlanCharge['status']>('pending', 'failed', 'unknown');
    fc.assert(
      fc.property(
        status,
        fc.constantFrom('UNKNOWN' as const, 'APPROVED' as const),
        fc.integer({ min: 0, max: 3 * 60 }),
        fc.integer({ min: 1, max: 6 }),
        (now, state, minutes, reads) => {
          const judged = verdict(
            { state, sentAt: NOW, before: chargesOf(plan(before)), reads, unlisted: 0 },
            chargesOf(plan([charge(1, 'completed'), charge(2, now)])),
            NOW + minutes * MINUTE,
            30 * MINUTE,
          );
          if (state === 'APPROVED' || minutes <= 33 || reads < 3) expect(judged).toBeNull();
          if (judged !== null || now === 'failed')
            expect(judged ?? { state: 'NOT_CHARGED', reason: 'declined' }).toEqual({
              state: 'NOT_CHARGED',
              reason: 'declined',
            });
          if (now !== 'failed') expect(judged, 'a record that is silent ends nothing').toBeNull();
        },
      ),
    );
  });

  it('is not declined by as many new declined rows as earlier charges may still have', () => {
    const after = [charge(1, 'completed'), charge(2, 'failed'), charge(3, 'failed')];
    const judged = (unlisted: number) =>
      verdict(
        { state: 'UNKNOWN', sentAt: NOW, before: chargesOf(plan(before)), reads: 9, unlisted },
        chargesOf(plan(after)),
        NOW + 3 * 60 * MINUTE,
        30 * MINUTE,
      );
    expect(judged(2)).toBeNull();
    expect(judged(1)).toEqual({ state: 'NOT_CHARGED', reason: 'declined' });
  });

  it('was taken as soon as a record lists a charge that was not taken before, whichever it is', () => {
    const after = [charge(1, 'completed'), charge(2, 'completed', { amountMinor: 7n })];
    for (const state of ['UNKNOWN', 'APPROVED'] as const) {
      expect(
        verdict(
          { state, sentAt: NOW, before: chargesOf(plan(before)), reads: 1, unlisted: 0 },
          chargesOf(plan(after)),
          NOW,
          30 * MINUTE,
        ),
      ).toMatchObject({ state: 'CHARGED', taken: { number: 2, amountMinor: '7' } });
      expect(
        verdict(
          { state, sentAt: NOW, before: chargesOf(plan(after)), reads: 9, unlisted: 0 },
          chargesOf(plan(after)),
          NOW,
          30 * MINUTE,
        ),
      ).toBeNull();
    }
  });
});

describe('the next look at a plan', () => {
  const look = (more: Partial<KnownPlan>, at: Partial<Parameters<typeof nextPlanLook>[1]> = {}) =>
    nextPlanLook(
      { status: 'active', problem: null, nextChargeAt: null, ...more },
      { now: NOW, since: NOW, tries: 0, sentAt: null, ...at },
    );

  it('comes just after the gateway’s own charge, soon after one of ours, and never after the end', () => {
    expect(look({ nextChargeAt: NOW + MINUTE })).toBe(NOW + 3 * MINUTE);
    expect(look({ nextChargeAt: NOW + 20 * DAY })).toBe(NOW + DAY);
    expect(look({ nextChargeAt: NOW - DAY })).toBe(NOW + 60 * MINUTE);
    expect(look({}, { sentAt: NOW - 4_000 })).toBe(NOW + 4_000);
    expect(look({}, { sentAt: NOW - 20 * MINUTE })).toBe(NOW + 15 * MINUTE);
    expect(look({ status: 'completed' })).toBeNull();
    expect(look({ status: 'completed' }, { sentAt: NOW - 20 * MINUTE })).not.toBeNull();
    expect(look({ status: null }, { since: NOW - 8 * DAY, tries: 9 })).toBeNull();
  });
});

describe('what people type', () => {
  it('plan codes: one a line or with blanks and commas between, each once', () => {
    expect(readPlanCodes(' PLN1\r\nPLN2, PLN1;PLN3\n')).toEqual({
      kind: 'codes',
      codes: ['PLN1', 'PLN2', 'PLN3'],
    });
    expect(readPlanCodes(' \n')).toEqual({ kind: 'empty' });
    expect(readPlanCodes(Array.from({ length: 201 }, (_, n) => `P${n}`).join(' '))).toEqual({
      kind: 'many',
      max: 200,
    });
    expect(readPlanCodes('şifre')).toMatchObject({ kind: 'unreadable' });
  });

  it('terms: what differs is sent, what is no amount or out of bounds is said', () => {
    const before = { amount: '12340', payments: '3' };
    const terms = (amount: string, payments: string) =>
      readTerms({ amount, payments }, before, 'TRY', 'tr');
    expect(terms('123,40', '5')).toEqual({ kind: 'change', change: { payments: 5 } });
    expect(terms('1.234,00', '3')).toEqual({ kind: 'change', change: { amountMinor: 123_400n } });
    expect(terms('123,40', '')).toEqual({ kind: 'error', code: 'nothing' });
    expect(terms('1,500', '3')).toEqual({ kind: 'error', code: 'amount' });
    expect(terms('0', '3')).toEqual({ kind: 'error', code: 'amount' });
    for (const payments of ['1', '122', 'x', '-2'])
      expect(terms('123,40', payments)).toEqual({ kind: 'error', code: 'payments' });
  });
});
