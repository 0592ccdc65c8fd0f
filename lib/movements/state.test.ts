import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduce } from './reduce.ts';
import { isDead, isFinal, LEGAL, STATES } from './state.ts';
import type { Evidence, Movement, State } from './state.ts';
import {
  AMOUNT,
  accepted,
  answer,
  credit,
  debit,
  EVIDENCE,
  EVIDENCE_NAMES,
  found,
  inState,
  late,
  ledger,
  listed,
  notice,
  read,
  REQUEST_ID,
  T0,
  TRANSACTION_ID,
} from './testing/movement.ts';
import type { EvidenceName } from './testing/movement.ts';

/**
 * Every step of docs/money-rules.md, by its number there. Evidence that is not listed leaves the
 * state unchanged; 'illegal' throws. The table is written from the rules, not from the code.
 */
const DECISIONS = [
  'claimed',
  'submitted',
  'approved',
  'edited',
  'cancelled',
  'sent_back',
  'resolved',
  'people_done',
] as const;
const NONE_DECIDED = Object.fromEntries(DECISIONS.map((name) => [name, 'illegal'])) as Record<
  (typeof DECISIONS)[number],
  'illegal'
>;

const STEPS: Record<
  State | 'SUBMITTING_AMBIGUOUS',
  Partial<Record<EvidenceName, State | 'illegal'>>
> = {
  DRAFT: {
    ...NONE_DECIDED,
    submitted: 'AWAITING_APPROVAL', // 2
    cancelled: 'CANCELLED',
  },
  AWAITING_APPROVAL: {
    ...NONE_DECIDED,
    edited: 'DRAFT', // 3
    approved: 'APPROVED', // 4
    cancelled: 'CANCELLED',
    sent_back: 'CANCELLED', // 5
    approval_expired: 'EXPIRED', // 5
  },
  APPROVED: {
    ...NONE_DECIDED,
    cancelled: 'CANCELLED', // 6
    claimed: 'SUBMITTING', // 7
    approvals_lapsed: 'AWAITING_APPROVAL', // 20
  },
  SUBMITTING: {
    ...NONE_DECIDED,
    answer_not_sent: 'APPROVED',
    answer_unauthorized: 'APPROVED',
    answer_same_iban: 'APPROVED', // 8
    answer_accepted: 'PENDING', // 9
    answer_refused: 'REJECTED', // 10
    answer_duplicate: 'UNKNOWN',
    answer_record_exists: 'UNKNOWN',
    answer_unclear: 'UNKNOWN',
    answer_mismatch: 'UNKNOWN',
    lease_expired: 'UNKNOWN', // 11
  },
  SUBMITTING_AMBIGUOUS: {
    ...NONE_DECIDED,
    answer_not_sent: 'UNKNOWN',
    answer_unauthorized: 'UNKNOWN',
    answer_same_iban: 'UNKNOWN',
    answer_refused: 'UNKNOWN', // 11
    answer_accepted: 'PENDING', // 9
    answer_duplicate: 'UNKNOWN',
    answer_record_exists: 'UNKNOWN',
    answer_unclear: 'UNKNOWN',
    answer_mismatch: 'UNKNOWN',
    lease_expired: 'UNKNOWN', // 11
  },
  UNKNOWN: {
    ...NONE_DECIDED,
    read_pending: 'PENDING',
    read_manual: 'MANUAL_REVIEW',
    read_completed: 'COMPLETED',
    read_rejected: 'REJECTED',
    read_failed: 'FAILED', // 12
    answer_accepted: 'PENDING', // 12: our own request's answer, received late
    claimed: 'SUBMITTING', // 13
    resolved: 'FAILED',
    people_done: 'COMPLETED', // 14
  },
  PENDING: {
    ...NONE_DECIDED,
    read_manual: 'MANUAL_REVIEW',
    pending_too_long: 'MANUAL_REVIEW', // 15
    read_completed: 'COMPLETED',
    read_rejected: 'REJECTED',
    read_failed: 'FAILED', // 16
    resolved: 'FAILED',
    people_done: 'COMPLETED', // 14
  },
  MANUAL_REVIEW: {
    ...NONE_DECIDED,
    read_completed: 'COMPLETED',
    read_rejected: 'REJECTED',
    read_failed: 'FAILED', // 16
    resolved: 'FAILED',
    people_done: 'COMPLETED', // 14
  },
  // Steps 17 and 18 change only the return, and step 19 only the alert: no step leaves the first
  // final state.
  COMPLETED: NONE_DECIDED,
  REJECTED: NONE_DECIDED,
  FAILED: NONE_DECIDED,
  CANCELLED: NONE_DECIDED,
  EXPIRED: NONE_DECIDED,
};

const FINAL: readonly State[] = ['COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED'];
const later = T0 + 60_000;
const atOnce = (movement: Movement, ...names: EvidenceName[]): Movement =>
  names.reduce((before, name) => reduce(before, EVIDENCE[name], later), movement);

describe('every state under every evidence', () => {
  const starts = Object.keys(STEPS) as (keyof typeof STEPS)[];
  it.each(starts.flatMap((start) => EVIDENCE_NAMES.map((name) => [start, name] as const)))(
    '%s, %s',
    (start, name) => {
      const before =
        start === 'SUBMITTING_AMBIGUOUS'
          ? inState('SUBMITTING', { sends: 2, everAmbiguous: true })
          : inState(start);
      const expected = STEPS[start][name] ?? before.state;
      if (expected === 'illegal')
        expect(() => reduce(before, EVIDENCE[name], later)).toThrow(/illegal step/);
      else expect(reduce(before, EVIDENCE[name], later).state).toBe(expected);
    },
  );
});

describe('the database knows the same steps', () => {
  const folder = new URL('../../prisma/migrations/', import.meta.url);
  const sql = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted()
    .map((name) => readFileSync(new URL(`${name}/migration.sql`, folder), 'utf8'))
    .join('\n');
  const rows = [...sql.matchAll(/^\s*\('([A-Z_]+)', '([A-Z_]+)', '(dashboard_\w+)'\)/gm)].map(
    ([, from, to, by]) => ({ from: from as State, to: to as State, by: by! }),
  );

  it('movement_steps holds exactly the legal steps', () => {
    const here = STATES.flatMap((from) => LEGAL[from].map((to) => `${from} → ${to}`)).toSorted();
    expect([...new Set(rows.map(({ from, to }) => `${from} → ${to}`))].toSorted()).toEqual(here);
  });

  it('only the worker steps on to or off the wire; only people decide before it', () => {
    const ON_THE_WIRE: readonly State[] = ['SUBMITTING', 'UNKNOWN', 'PENDING', 'MANUAL_REVIEW'];
    for (const { from, to, by } of rows) {
      const wire = ON_THE_WIRE.includes(from) || ON_THE_WIRE.includes(to);
      const twoPeople =
        ['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'].includes(from) &&
        (to === 'FAILED' || to === 'COMPLETED');
      if (wire && !twoPeople)
        expect(`${from} → ${to} by ${by}`).toBe(`${from} → ${to} by dashboard_worker`);
      if (to === 'APPROVED' && from !== 'SUBMITTING') expect(by).toBe('dashboard_web');
    }
  });
});

describe('what answers may not do', () => {
  const answers = EVIDENCE_NAMES.filter((name) => name.startsWith('answer_'));

  it('once ambiguous, no answer ever ends it or calls it unsent', () => {
    for (const state of ['SUBMITTING', 'UNKNOWN'] as const) {
      for (const name of answers) {
        const after = reduce(
          inState(state, { everAmbiguous: true, sends: 2 }),
          EVIDENCE[name],
          later,
        );
        expect(['UNKNOWN', 'PENDING']).toContain(after.state);
        expect(after.everAmbiguous).toBe(true);
      }
    }
  });

  it('a late answer never speaks for the request that is under way', () => {
    for (const everAmbiguous of [false, true]) {
      for (const name of answers) {
        const before = inState('SUBMITTING', { sends: 2, everAmbiguous });
        const after = reduce(before, late(name), later);
        expect(after.state, name).toBe(name === 'answer_accepted' ? 'PENDING' : 'SUBMITTING');
        expect([after.notSentTries, after.ibanWaits], name).toEqual([
          before.notSentTries,
          before.ibanWaits,
        ]);
      }
    }
  });

  it('"seen before", in whatever words, forbids a resend for good', () => {
    for (const name of ['answer_duplicate', 'answer_record_exists'] as const) {
      expect(reduce(inState('SUBMITTING'), EVIDENCE[name], later).duplicateSeen, name).toBe(true);
      expect(reduce(inState('UNKNOWN'), late(name), later).duplicateSeen, name).toBe(true);
      expect(
        reduce(inState('SUBMITTING', { sends: 2, everAmbiguous: true }), late(name), later)
          .duplicateSeen,
        name,
      ).toBe(true);
    }
  });

  it('a duplicate on the first send is an alarm, on a later one it is our own first request', () => {
    expect(atOnce(inState('SUBMITTING'), 'answer_duplicate').alert).toBe('id_collision');
    expect(
      atOnce(inState('SUBMITTING', { everAmbiguous: true, sends: 2 }), 'answer_duplicate').alert,
    ).toBeNull();
  });

  it('two acceptances under two request numbers are flagged, whatever the state', () => {
    for (const state of ['PENDING', 'MANUAL_REVIEW', 'COMPLETED', 'FAILED'] as const) {
      const after = reduce(inState(state), answer(accepted('8000000000000000009'), true), later);
      expect([after.state, after.alert]).toEqual([state, 'contradiction']);
      expect(reduce(inState(state), answer(accepted(REQUEST_ID), true), later).alert).toBeNull();
    }
  });

  it('a late acceptance of a card operation contradicts neither waiting nor completion', () => {
    // The answer may name our invoice, and the record may name the gateway's order: both identify
    // the payment, not the request.
    for (const kind of ['card_capture', 'card_release', 'card_refund']) {
      for (const state of ['PENDING', 'MANUAL_REVIEW', 'COMPLETED'] as const) {
        const after = reduce(
          inState(state, { kind, requestId: 'VP-1' }),
          answer(accepted('INVOICE-1'), true),
          later,
        );
        expect([after.state, after.alert], `${kind} ${state}`).toEqual([state, null]);
      }
      expect(
        reduce(
          inState('FAILED', { kind, requestId: 'VP-1' }),
          answer(accepted('VP-1'), true),
          later,
        ).alert,
        `${kind} FAILED`,
      ).toBe('contradiction');
    }
  });

  it('a late acceptance of a card operation agrees with people who said "done", and contradicts "not done"', () => {
    for (const kind of ['card_capture', 'card_release', 'card_refund']) {
      const ended = (said: 'resolved_done' | 'resolved_not_sent'): Movement =>
        reduce(
          inState('UNKNOWN', { kind, everAmbiguous: true }),
          { source: 'person', kind: said },
          later,
        );
      const afterLateAnswer = (before: Movement): [State, Movement['alert']] => {
        const after = reduce(before, answer(accepted('INVOICE-1'), true), later + 1);
        return [after.state, after.alert];
      };
      expect(afterLateAnswer(ended('resolved_done')), kind).toEqual(['COMPLETED', null]);
      expect(afterLateAnswer(ended('resolved_not_sent')), kind).toEqual([
        'FAILED',
        'contradiction',
      ]);
    }
  });

  it('an acceptance of what was refused or cancelled is flagged and locks "pay again"', () => {
    for (const state of ['REJECTED', 'CANCELLED', 'EXPIRED'] as const) {
      const after = reduce(inState(state), answer(accepted(), true), later);
      expect([after.state, after.alert, isDead(after)]).toEqual([state, 'contradiction', false]);
    }
  });

  it('326 sends the movement back to wait, six times, and then asks a person', () => {
    let movement = inState('APPROVED');
    for (let n = 1; n <= 6; n++) {
      movement = atOnce(movement, 'claimed', 'answer_same_iban');
      expect([movement.state, movement.ibanWaits, movement.alert]).toEqual([
        'APPROVED',
        n,
        n === 6 ? 'iban_wait_exhausted' : null,
      ]);
    }
  });
});

describe('what a record without money may not end', () => {
  const sentAgain = (state: State): Movement =>
    inState(state, { everAmbiguous: true, sends: 2, notFoundReads: 3 });
  const LEVELS = ['rejected', 'failed'] as const;
  const states = (
    before: Movement,
    marks: { late?: true; mayArrive?: true; restored?: true },
  ): State[] =>
    LEVELS.map(
      (level) => reduce(before, { ...read(found(level)), ...marks } as Evidence, later).state,
    );

  it('a movement that was sent again, while the last request may still arrive', () => {
    for (const state of ['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'] as const) {
      expect(states(sentAgain(state), { mayArrive: true })).toEqual([state, state]);
      expect(states(sentAgain(state), {})).toEqual(['REJECTED', 'FAILED']);
    }
  });

  it('a movement that was sent again, when the read is late: it may have been asked before that', () => {
    for (const state of ['UNKNOWN', 'PENDING', 'MANUAL_REVIEW'] as const)
      expect(states(sentAgain(state), { late: true })).toEqual([state, state]);
  });

  it('the record takes the ground from "not found", so that nothing is sent again on it', () => {
    expect(reduce(sentAgain('UNKNOWN'), read(found('rejected'), true), later)).toMatchObject({
      state: 'UNKNOWN',
      notFoundReads: 0,
    });
  });

  it('a movement sent once after a restore: the record may be of a send that the restore lost', () => {
    const sentOnce = inState('UNKNOWN', { everAmbiguous: true, sends: 1 });
    expect(states(sentOnce, { mayArrive: true, restored: true })).toEqual(['UNKNOWN', 'UNKNOWN']);
    expect(states(sentOnce, { mayArrive: true })).toEqual(['REJECTED', 'FAILED']);
  });

  it('a movement whose second send the one-minute rule refused: it may have been the second copy', () => {
    const refused = { ...sentAgain('UNKNOWN'), ibanWaits: 1 };
    expect(states(refused, { mayArrive: true })).toEqual(['UNKNOWN', 'UNKNOWN']);
  });

  it('but it ends what has one request that may have left, and what was answered clearly each time', () => {
    expect(states({ ...sentAgain('UNKNOWN'), notSentTries: 1 }, { mayArrive: true })).toEqual([
      'REJECTED',
      'FAILED',
    ]);
    expect(
      states({ ...sentAgain('PENDING'), everAmbiguous: false, ibanWaits: 1 }, { mayArrive: true }),
    ).toEqual(['REJECTED', 'FAILED']);
  });
});

describe('what notices may not do', () => {
  const notices = EVIDENCE_NAMES.filter((name) => name.startsWith('notice_'));

  it('no notice ends, fails or returns anything', () => {
    for (const state of STATES) {
      for (const name of notices) {
        const before = inState(state);
        const after = reduce(before, EVIDENCE[name], later);
        expect(after.state, `${state} ${name}`).toBe(state);
        expect(after.returned, `${state} ${name}`).toBe(
          state === 'COMPLETED' && name === 'notice_returned' ? 'REPORTED' : 'NONE',
        );
        const money = ({
          amountMinor,
          extId,
          iban,
          requestId,
          transactionId,
          feeMinor,
          reasonCode,
          reasonText,
        }: Movement) => ({
          amountMinor,
          extId,
          iban,
          requestId,
          transactionId,
          feeMinor,
          reasonCode,
          reasonText,
        });
        expect(money(after)).toEqual(money(before));
      }
    }
  });

  it('whoever speaks of our reference takes the ground from "not found"', () => {
    for (const name of notices)
      expect(
        reduce(inState('UNKNOWN', { notFoundReads: 5 }), EVIDENCE[name], later).notFoundReads,
      ).toBe(0);
  });

  it('a return spoken of before completion is remembered and locks "pay again" from completion on', () => {
    const done = atOnce(inState('PENDING'), 'notice_returned', 'read_completed');
    expect([done.state, done.returned, isDead(done)]).toEqual(['COMPLETED', 'REPORTED', false]);
  });
});

describe('returns', () => {
  it('only the ledger confirms one', () => {
    for (const name of EVIDENCE_NAMES) {
      for (const returned of ['NONE', 'REPORTED'] as const) {
        if (isDecision(name)) continue;
        const after = reduce(
          inState('COMPLETED', { returned, returnedAt: T0 }),
          EVIDENCE[name],
          later,
        );
        expect(after.returned === 'CONFIRMED', `${returned} ${name}`).toBe(
          name === 'ledger_credit' || name === 'ledger_refunded',
        );
      }
    }
  });

  it('a confirmed one is never taken back', () => {
    for (const name of EVIDENCE_NAMES) {
      if (isDecision(name)) continue;
      expect(
        reduce(inState('COMPLETED', { returned: 'CONFIRMED' }), EVIDENCE[name], later).returned,
      ).toBe('CONFIRMED');
    }
  });

  it('a credit of another amount is flagged and confirms nothing; the right one beside it confirms', () => {
    const other = atOnce(inState('COMPLETED'), 'ledger_other_credit');
    expect([other.returned, other.alert]).toEqual(['NONE', 'return_amount_differs']);
    const both = reduce(
      other,
      ledger(listed(debit(), credit({ amountMinor: 1n }), credit())),
      later,
    );
    expect([both.returned, both.alert]).toEqual(['CONFIRMED', null]);
  });

  it.each([
    ['pending', 10],
    ['cancelled', 40],
    ['refunded', 60],
    ['other', 30],
  ] as const)('a credit that is %s in the ledger brought no money back', (level, statusId) => {
    const { returned, alert } = reduce(
      inState('COMPLETED', { returned: 'REPORTED', returnedAt: T0 }),
      ledger(listed(debit(), credit({ level, statusId }))),
      later,
    );
    expect([returned, alert]).toEqual(['REPORTED', null]);
  });

  it('a credit in another currency does not bring the payment back', () => {
    const { returned } = reduce(
      inState('COMPLETED'),
      ledger(listed(debit(), credit({ currency: 'USD' }))),
      later,
    );
    expect(returned).toBe('NONE');
  });

  it('a credit that points at another transaction is not ours', () => {
    expect(
      reduce(inState('COMPLETED'), ledger(listed(debit(), credit({ refersTo: '1' }))), later)
        .returned,
    ).toBe('NONE');
    expect(
      reduce(inState('COMPLETED'), ledger(listed(credit({ refersTo: null }))), later).returned,
    ).toBe('NONE');
  });

  it('one that nobody confirms within the day is withdrawn and flagged, and "pay again" stays locked', () => {
    const after = atOnce(
      inState('COMPLETED', { returned: 'REPORTED', returnedAt: T0 }),
      'return_unconfirmed',
    );
    expect([after.returned, after.alert, isDead(after)]).toEqual([
      'NONE',
      'return_not_confirmed',
      false,
    ]);
  });

  it('a ledger line that says "cancelled" contradicts a completed payment', () => {
    expect(
      reduce(
        inState('COMPLETED'),
        ledger(listed(debit({ statusId: 40, level: 'cancelled' }))),
        later,
      ).alert,
    ).toBe('contradiction');
  });
});

describe('the first final state', () => {
  it('never changes, whatever the evidence', () => {
    for (const state of FINAL) {
      for (const name of EVIDENCE_NAMES) {
        if (isDecision(name)) continue;
        const before = inState(state);
        const after = reduce(before, EVIDENCE[name], later);
        expect([after.state, after.endedAt, after.stateSince, after.reasonCode]).toEqual([
          before.state,
          before.endedAt,
          before.stateSince,
          before.reasonCode,
        ]);
      }
    }
  });

  it.each([
    ['COMPLETED', ['pending', 'rejected', 'failed']],
    ['REJECTED', ['pending', 'completed']],
    ['FAILED', ['pending', 'completed']],
    ['CANCELLED', ['pending', 'completed']],
    ['EXPIRED', ['pending', 'completed']],
  ] as const)('%s is contradicted by a record that says %s', (state, levels) => {
    for (const level of ['pending', 'completed', 'rejected', 'failed'] as const) {
      const after = reduce(inState(state), read(found(level)), later);
      expect(after.alert, level).toBe(
        (levels as readonly string[]).includes(level) ? 'contradiction' : null,
      );
      if (after.alert !== null) expect(isDead(after)).toBe(false);
    }
  });

  it.each(['DRAFT', 'AWAITING_APPROVAL', 'APPROVED'] as const)(
    'a record of what is %s, and so never left us, is flagged: our own books have forgotten something',
    (state) => {
      const after = reduce(inState(state), read(found('completed'), true), T0 + 1);
      expect([after.state, after.alert]).toEqual([state, 'contradiction']);
    },
  );

  it('is contradicted by a record under our id with another amount', () => {
    expect(atOnce(inState('REJECTED'), 'read_mismatch').alert).toBe('contradiction');
  });

  it('"pay again" stays locked by a contradiction, whatever the evidence after it', () => {
    for (const state of ['REJECTED', 'FAILED', 'CANCELLED', 'COMPLETED'] as const) {
      const locked = reduce(
        inState(state),
        read(found(state === 'COMPLETED' ? 'rejected' : 'completed')),
        later,
      );
      for (const first of EVIDENCE_NAMES) {
        for (const second of EVIDENCE_NAMES) {
          if (isDecision(first) || isDecision(second)) continue;
          expect(isDead(atOnce(locked, first, second)), `${state} ${first} ${second}`).toBe(false);
        }
      }
    }
  });
});

describe('flags', () => {
  it('that speak of silence end when the provider speaks', () => {
    for (const alert of [
      'unknown_too_long',
      'not_seen_for_a_week',
      'id_collision',
      'provider_unreachable',
    ] as const) {
      expect(atOnce(inState('UNKNOWN', { alert }), 'read_completed').alert, alert).toBeNull();
    }
    expect(
      atOnce(inState('SUBMITTING', { alert: 'provider_unreachable' }), 'answer_accepted').alert,
    ).toBeNull();
    expect(
      atOnce(inState('SUBMITTING', { alert: 'provider_unreachable' }), 'answer_refused').alert,
    ).toBeNull();
    expect(
      atOnce(inState('PENDING', { alert: 'not_seen_for_a_week' }), 'read_completed').alert,
    ).toBeNull();
    expect(
      atOnce(inState('APPROVED', { alert: 'iban_wait_exhausted' }), 'cancelled').alert,
    ).toBeNull();
  });

  it('a broken journal ends with the next written try, and those tries do not count for the provider', () => {
    const unwritten: Evidence = {
      source: 'answer',
      kind: 'answer',
      outcome: {
        kind: 'not_sent',
        why: 'held_back',
        refusal: 'not_journaled',
        raw: null,
        code: null,
        message: null,
      },
    };
    const held = reduce(inState('SUBMITTING', { notSentTries: 3 }), unwritten, later);
    expect(held).toMatchObject({
      state: 'APPROVED',
      alert: 'journal_unwritable',
      notSentTries: 4,
    });
    expect(atOnce({ ...held, state: 'SUBMITTING' }, 'answer_not_sent')).toMatchObject({
      state: 'APPROVED',
      alert: null,
      notSentTries: 1,
    });
    expect(reduce(inState('SUBMITTING', { alert: 'mismatch' }), unwritten, later).alert).toBe(
      'mismatch',
    );
    const resend = reduce(
      inState('SUBMITTING', { everAmbiguous: true, alert: 'id_collision' }),
      unwritten,
      later,
    );
    expect(resend, 'an unclear first send is what counts').toMatchObject({
      state: 'UNKNOWN',
      alert: 'id_collision',
    });
  });

  it('that speak of a wrong record stay until a person has looked', () => {
    for (const alert of ['contradiction', 'mismatch'] as const) {
      for (const name of [
        'read_completed',
        'read_pending',
        'read_mismatch',
        'answer_mismatch',
      ] as const) {
        expect(atOnce(inState('UNKNOWN', { alert }), name).alert, `${alert} ${name}`).toBe(alert);
      }
    }
  });
});

describe('an announced return of what no ledger confirms', () => {
  it('sets nothing on a card operation, open or ended: it would stay announced for ever', () => {
    for (const kind of ['card_capture', 'card_refund', 'card_release']) {
      for (const state of ['PENDING', 'UNKNOWN', 'COMPLETED'] as const)
        expect(atOnce(inState(state, { kind }), 'notice_returned')).toMatchObject({
          returned: 'NONE',
          returnHinted: false,
          alert: null,
        });
    }
    expect(atOnce(inState('COMPLETED'), 'notice_returned').returned).toBe('REPORTED');
  });

  it('is an alert on a card-balance payout that people have called paid, and on no other ended one', () => {
    const paid = atOnce(inState('COMPLETED', { kind: 'cashout' }), 'notice_returned');
    expect(paid).toMatchObject({ returned: 'NONE', alert: 'return_not_confirmed' });
    for (const state of ['REJECTED', 'FAILED'] as const)
      expect(atOnce(inState(state, { kind: 'cashout' }), 'notice_returned').alert).toBeNull();
  });

  it('stays an alert on a card-balance payout that people call paid after it', () => {
    const hinted = atOnce(inState('PENDING', { kind: 'cashout' }), 'notice_returned');
    expect(hinted.alert).toBe('return_not_confirmed');
    expect(atOnce(hinted, 'people_done')).toMatchObject({
      state: 'COMPLETED',
      returned: 'NONE',
      alert: 'return_not_confirmed',
    });
  });
});

describe('what the record and the ledger are compared with', () => {
  const other = read({ ...found('completed'), requestId: '99999' });

  it('a record with another request number never completes a payment and contradicts it after the end', () => {
    for (const state of ['PENDING', 'MANUAL_REVIEW'] as const)
      expect(reduce(inState(state), other, later)).toMatchObject({
        state,
        alert: 'mismatch',
        requestId: REQUEST_ID,
      });
    expect(reduce(inState('UNKNOWN', { requestId: REQUEST_ID }), other, later)).toMatchObject({
      state: 'UNKNOWN',
      alert: 'mismatch',
      requestId: REQUEST_ID,
    });
    for (const state of ['COMPLETED', 'FAILED'] as const)
      expect(reduce(inState(state), other, later)).toMatchObject({
        state,
        alert: 'contradiction',
        requestId: REQUEST_ID,
      });
    expect(reduce(inState('UNKNOWN'), other, later)).toMatchObject({
      state: 'COMPLETED',
      alert: null,
      requestId: '99999',
    });
  });

  it('two posted debits of one reference are a contradiction; one that is listed twice is not', () => {
    const second = debit({ transactionId: '9000000000000000009' });
    expect(reduce(inState('COMPLETED'), ledger(listed(debit(), second)), later)).toMatchObject({
      alert: 'contradiction',
      transactionId: TRANSACTION_ID,
    });
    expect(reduce(inState('COMPLETED'), ledger(listed(debit(), debit())), later).alert).toBeNull();
    const line = { transactionId: TRANSACTION_ID, feeMinor: 0n, double: true } as const;
    expect(
      reduce(inState('PENDING', { requestId: '7' }), read({ ...found('completed'), line }), later),
    ).toMatchObject({ state: 'COMPLETED', alert: 'contradiction' });
  });

  it('another debit in the place of the listed one is a contradiction: one of two may be listed', () => {
    const seen = reduce(inState('COMPLETED'), ledger(listed(debit())), later);
    expect(
      reduce(seen, ledger(listed(debit({ transactionId: '9000000000000000009' }))), later),
    ).toMatchObject({ alert: 'contradiction' });
    expect(reduce(seen, ledger(listed(debit())), later).alert).toBeNull();
    // A second debit that has not taken money yet is no second payment.
    const pending = debit({
      transactionId: '9000000000000000009',
      statusId: 10,
      level: 'pending',
    });
    expect(reduce(seen, ledger(listed(pending)), later).alert).toBeNull();
  });

  it('a separately booked fee is not the payment, and a return that names the payment is recognised', () => {
    const fee = debit({ transactionId: '9000000000000000902', amountMinor: 600n });
    const seen = reduce(
      inState('COMPLETED', { returned: 'REPORTED' }),
      ledger(listed(fee, debit())),
      later,
    );
    expect(seen).toMatchObject({
      transactionId: TRANSACTION_ID,
      feeMinor: 320n,
      alert: null,
      ledgerSeenAt: later,
    });
    expect(reduce(seen, ledger(listed(fee, debit(), credit())), later)).toMatchObject({
      returned: 'CONFIRMED',
      alert: null,
    });
  });

  it('entries of our reference of which none is the payment are an alert, and the payment is looked for on', () => {
    for (const strange of [
      { amountMinor: 600n },
      { currency: 'USD' },
      { fromWallet: '1000000002' },
    ]) {
      expect(reduce(inState('COMPLETED'), ledger(listed(debit(strange))), later)).toMatchObject({
        alert: 'mismatch',
        transactionId: null,
        ledgerSeenAt: null,
      });
    }
    expect(
      reduce(inState('COMPLETED'), ledger(listed(debit({ fromWallet: null }))), later),
    ).toMatchObject({ alert: null, transactionId: TRANSACTION_ID });
  });

  it('a negative fee is shown to nobody', () => {
    expect(
      reduce(
        inState('COMPLETED', { feeMinor: 640n }),
        ledger(listed(debit({ feeMinor: -100n }))),
        later,
      ).feeMinor,
    ).toBeNull();
  });
});

describe('reads', () => {
  it('count "not found" only while it comes in time', () => {
    expect(
      reduce(inState('UNKNOWN', { notFoundReads: 2 }), EVIDENCE.read_not_found, later)
        .notFoundReads,
    ).toBe(3);
    expect(
      reduce(inState('UNKNOWN', { notFoundReads: 2 }), late('read_not_found'), later).notFoundReads,
    ).toBe(2);
  });

  it('a new send and a new loss start the count anew', () => {
    expect(atOnce(inState('UNKNOWN', { notFoundReads: 9 }), 'claimed').notFoundReads).toBe(0);
    expect(
      atOnce(inState('SUBMITTING', { notFoundReads: 9 }), 'answer_unclear').notFoundReads,
    ).toBe(0);
  });

  it('are fresh only when the provider answered, in time', () => {
    expect(atOnce(inState('REJECTED'), 'read_not_found').lastReadAt).toBe(later);
    expect(atOnce(inState('REJECTED'), 'read_no_answer').lastReadAt).toBeNull();
    expect(reduce(inState('REJECTED'), late('read_not_found'), later).lastReadAt).toBeNull();
    expect(atOnce(inState('COMPLETED'), 'ledger_not_listed').lastReadAt).toBe(later);
  });
});

describe('one payment, with its evidence in any order', () => {
  const evidence = {
    accept: (movement: Movement) =>
      reduce(
        movement,
        answer(accepted(), movement.state === 'SUBMITTING' ? undefined : true),
        later,
      ),
    complete: (movement: Movement) => reduce(movement, read(found('completed')), later),
    return: (movement: Movement) => reduce(movement, notice('refunded'), later),
    ledger: (movement: Movement) => reduce(movement, ledger(listed(debit(), credit())), later),
  };
  const orders = permutations(Object.keys(evidence) as (keyof typeof evidence)[]);
  // A due query is repeated until it is answered, so that evidence which came too early is not
  // lost.
  const askAgain = (movement: Movement): Movement => evidence.ledger(evidence.complete(movement));
  const picture = ({
    state,
    returned,
    alert,
    requestId,
    transactionId,
    feeMinor,
    everAmbiguous,
  }: Movement) => ({ state, returned, alert, requestId, transactionId, feeMinor, everAmbiguous });

  it('all 24 orders end with the same picture', () => {
    expect(orders).toHaveLength(24);
    for (const order of orders) {
      const end = askAgain(
        order.reduce((movement, step) => evidence[step](movement), inState('UNKNOWN')),
      );
      expect(picture(end), order.join(', ')).toEqual({
        state: 'COMPLETED',
        returned: 'CONFIRMED',
        alert: null,
        requestId: REQUEST_ID,
        transactionId: TRANSACTION_ID,
        feeMinor: 320n,
        everAmbiguous: true,
      });
    }
  });

  it('also when our own request is still under way', () => {
    for (const order of orders) {
      const end = askAgain(
        order.reduce((movement, step) => evidence[step](movement), inState('SUBMITTING')),
      );
      expect(picture(end), order.join(', ')).toMatchObject({
        state: 'COMPLETED',
        returned: 'CONFIRMED',
        alert: null,
      });
    }
  });
});

describe('two people who end what is unknown', () => {
  it('close what was flagged for silence, and never unlock what the provider contradicts', () => {
    const ended = (alert: Movement['alert']) =>
      reduce(inState('UNKNOWN', { alert }), EVIDENCE.resolved, later);
    expect(ended('unknown_too_long')).toMatchObject({ state: 'FAILED', alert: null });
    expect(ended('contradiction')).toMatchObject({ state: 'FAILED', alert: 'contradiction' });
    expect(isDead(ended('contradiction'))).toBe(false);
  });
});

describe('any story whatever', () => {
  const steps = fc.array(
    fc.record({ name: fc.constantFrom(...EVIDENCE_NAMES), late: fc.boolean() }),
    { maxLength: 40 },
  );

  it('keeps what was learned, ends once, and moves by legal steps only', () => {
    fc.assert(
      fc.property(fc.constantFrom(...STATES), steps, (start, story) => {
        let before = inState(start);
        for (const [n, step] of story.entries()) {
          const evidence = step.late ? late(step.name) : EVIDENCE[step.name];
          let after: Movement;
          try {
            after = reduce(before, evidence, T0 + n);
          } catch (error) {
            expect(String(error)).toMatch(/illegal step/);
            continue;
          }
          if (after.state !== before.state) expect(LEGAL[before.state]).toContain(after.state);
          expect(before.everAmbiguous && !after.everAmbiguous).toBe(false);
          expect(after.everAmbiguous).toBe(after.unclearSince !== null);
          if (before.unclearSince !== null) expect(after.unclearSince).toBe(before.unclearSince);
          expect(before.duplicateSeen && !after.duplicateSeen).toBe(false);
          expect(after.sends - before.sends).toBe(evidence.kind === 'claimed' ? 1 : 0);
          expect([after.extId, after.amountMinor, after.iban, after.createdAt]).toEqual([
            before.extId,
            AMOUNT,
            before.iban,
            before.createdAt,
          ]);
          if (isFinal(before.state))
            expect([after.state, after.endedAt]).toEqual([before.state, before.endedAt]);
          if (before.returned === 'CONFIRMED') expect(after.returned).toBe('CONFIRMED');
          if (before.returned !== 'CONFIRMED' && after.returned === 'CONFIRMED')
            expect(evidence.kind).toBe('ledger');
          if (after.returned !== 'NONE') expect(after.state).toBe('COMPLETED');
          if (isFinal(after.state) && !isFinal(before.state) && before.everAmbiguous)
            expect(['read', 'resolved_not_sent', 'resolved_done']).toContain(evidence.kind);
          if (after.state === 'COMPLETED' && before.state !== 'COMPLETED')
            expect(['read', 'resolved_done']).toContain(evidence.kind);
          if (before.alert === 'contradiction') expect(after.alert).toBe('contradiction');
          before = after;
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

function isDecision(name: EvidenceName): boolean {
  return (DECISIONS as readonly string[]).includes(name);
}

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, n) =>
    permutations(items.filter((_, other) => other !== n)).map((rest) => [item, ...rest]),
  );
}
