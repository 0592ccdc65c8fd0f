import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertByAge, nextAction, nextLook } from './schedule.ts';
import { LEASE_MS, SEND_DEADLINE_MS } from '#lib/begin-check/start-limit.ts';
import type { Policy } from './schedule.ts';
import { reduce } from './reduce.ts';
import { isFinal } from './state.ts';
import type { Evidence, Movement } from './state.ts';
import {
  accepted,
  aMovement,
  answer,
  credit,
  debit,
  EVIDENCE,
  found,
  late,
  ledger,
  listed,
  refused,
  T0,
} from './testing/movement.ts';

/**
 * One payment at a provider that is wrong and slow and loses answers, moved by the rules and the
 * schedule alone. The provider's behaviour is drawn at random, and its records decide what is
 * right.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const END = T0 + 45 * DAY;
const LOOKS_MAX = 4_000;
const policy: Policy = { quietMs: 30 * MINUTE, manualAfterMs: 30 * MINUTE, autoResend: true };

type SendFate =
  | 'accept'
  | 'refuse'
  | 'wait_326'
  | 'not_sent'
  | 'unauthorized'
  | 'lost_before'
  | 'lost_after'
  | 'late_work'
  | 'dead_before'
  | 'dead_after'
  | 'answer_after_lease';
type World = {
  sends: SendFate[];
  /**
   * `listedAfter`: minutes until the record is listed. `dedupeAfter`: minutes until the provider's
   * duplicate check knows the id.
   */
  listedAfter: number;
  dedupeAfter: number;
  end: 'completed' | 'rejected' | 'failed' | 'never';
  endAfter: number;
  returned: boolean;
  /** Whether each read is answered, in order; all later reads are. */
  reads: boolean[];
  notices: {
    at: number;
    name:
      | 'notice_completed'
      | 'notice_rejected'
      | 'notice_manual'
      | 'notice_returned'
      | 'notice_unknown';
  }[];
  random: number[];
};

const world: fc.Arbitrary<World> = fc.record({
  sends: fc.array(
    fc.constantFrom<SendFate>(
      'accept',
      'refuse',
      'wait_326',
      'not_sent',
      'unauthorized',
      'lost_before',
      'lost_after',
      'late_work',
      'dead_before',
      'dead_after',
      'answer_after_lease',
    ),
    { minLength: 1, maxLength: 8 },
  ),
  listedAfter: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 21, max: 240 })),
  dedupeAfter: fc.integer({ min: 0, max: 20 }),
  end: fc.constantFrom('completed', 'rejected', 'failed', 'never'),
  endAfter: fc.integer({ min: 0, max: 2 * 24 * 60 }),
  returned: fc.boolean(),
  reads: fc.array(fc.boolean(), { maxLength: 30 }),
  notices: fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 3 * 24 * 60 }),
      name: fc.constantFrom(
        'notice_completed',
        'notice_rejected',
        'notice_manual',
        'notice_returned',
        'notice_unknown',
      ),
    }),
    { maxLength: 5 },
  ),
  random: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    minLength: 1,
    maxLength: 10,
  }),
});

type Life = { movement: Movement; sends: number; executedAt: number[]; story: string[] };

const named = (evidence: Evidence): string =>
  'outcome' in evidence ? `${evidence.kind}:${evidence.outcome.kind}` : evidence.kind;

const pictureOf = ({ state, returned, alert }: Movement): string => `${state}/${returned}/${alert}`;

/** The times at which the provider executes a request with this fate. */
function executionsOf(fate: SendFate, known: boolean, now: number): number[] {
  if (known) return [];
  if (fate === 'late_work') return [now + SEND_DEADLINE_MS + 3 * MINUTE];
  return ['accept', 'lost_after', 'dead_after', 'answer_after_lease'].includes(fate) ? [now] : [];
}

/** How long the worker waits for the answer; the length of its lease when it died. */
function durationOf(fate: SendFate): number {
  if (['dead_before', 'dead_after', 'answer_after_lease'].includes(fate)) return LEASE_MS + 1;
  return ['lost_before', 'lost_after', 'late_work'].includes(fate) ? SEND_DEADLINE_MS : 0;
}

/** The evidence that arrives within the lease, or the end of the lease. */
function answerTo(fate: SendFate, known: boolean): Evidence {
  switch (fate) {
    case 'dead_before':
    case 'dead_after':
    case 'answer_after_lease':
      return EVIDENCE.lease_expired;
    case 'not_sent':
      return EVIDENCE.answer_not_sent;
    case 'unauthorized':
      return EVIDENCE.answer_unauthorized;
    case 'wait_326':
      return EVIDENCE.answer_same_iban;
    case 'refuse':
      return answer(refused());
    case 'accept':
      return known ? EVIDENCE.answer_duplicate : EVIDENCE.answer_accepted;
    default:
      return EVIDENCE.answer_unclear;
  }
}

/** Runs one payment to its end. Returns what happened to it and what the provider did. */
function live(drawn: World): Life {
  let movement = aMovement();
  let now = T0;
  let due: number | null = T0;
  let sends = 0;
  let readsAsked = 0;
  let draws = 0;
  const executedAt: number[] = [];
  const story: string[] = [];
  const notices = drawn.notices
    .map((notice) => ({ ...notice, at: T0 + notice.at * MINUTE }))
    .toSorted((a, b) => a.at - b.at);
  const random = () => drawn.random[draws++ % drawn.random.length]!;
  const hear = (evidence: Evidence, at: number) => {
    const next = reduce(movement, evidence, at);
    movement = { ...next, alert: alertByAge(next, at) };
    story.push(`${((at - T0) / MINUTE).toFixed(1)} ${named(evidence)} → ${pictureOf(movement)}`);
  };
  const knows = (at: number, after: number) =>
    executedAt.some((time) => at >= time + after * MINUTE);
  const level = (at: number) =>
    drawn.end !== 'never' && at >= executedAt[0]! + drawn.endAfter * MINUTE ? drawn.end : 'pending';

  for (let looks = 0; due !== null && due <= END && looks < LOOKS_MAX; looks++) {
    const notice = notices[0];
    if (notice && notice.at <= due) {
      notices.shift();
      hear(EVIDENCE[notice.name], notice.at);
      if (movement.sends > 0 && movement.state !== 'APPROVED') due = Math.max(notice.at, now);
      continue;
    }
    now = Math.max(now, due);
    const action = nextAction(movement, now, policy);
    switch (action) {
      case 'send': {
        const known = knows(now, drawn.dedupeAfter);
        const fate = drawn.sends[sends++] ?? 'accept';
        hear(EVIDENCE.claimed, now);
        executedAt.push(...executionsOf(fate, known, now));
        now += durationOf(fate);
        hear(answerTo(fate, known), now);
        if (fate === 'answer_after_lease')
          hear(known ? late('answer_duplicate') : answer(accepted(), true), now + 1);
        break;
      }
      case 'read':
        if (drawn.reads[readsAsked++] === false) hear(EVIDENCE.read_no_answer, now);
        else
          hear(
            knows(now, drawn.listedAfter)
              ? { source: 'read', kind: 'read', outcome: found(level(now)) }
              : EVIDENCE.read_not_found,
            now,
          );
        break;
      case 'ledger':
        hear(ledger(listed(debit(), ...(drawn.returned ? [credit()] : []))), now);
        break;
      case 'rest':
        break;
      default:
        hear(EVIDENCE[action], now);
    }
    due = nextLook(movement, now, policy, random);
    if (due !== null && due <= now && action === 'rest') throw new Error('a tight loop');
  }
  return { movement, sends, executedAt, story };
}

describe('one payment in a world that lies', () => {
  it('is paid at most once, ends with the truth, and never goes silent', () => {
    fc.assert(
      fc.property(world, (drawn) => {
        const { movement, sends, executedAt, story } = live(drawn);
        const described = story.slice(0, 60).join('\n');
        expect(executedAt.length, described).toBeLessThanOrEqual(1);
        // Each movement has ended, or has an alert.
        if (!isFinal(movement.state)) expect(movement.alert, described).not.toBeNull();
        if (movement.state === 'COMPLETED')
          expect([executedAt.length, drawn.end], described).toEqual([1, 'completed']);
        if (movement.state === 'REJECTED' || movement.state === 'FAILED')
          expect(
            executedAt.length === 0 || drawn.end === movement.state.toLowerCase(),
            described,
          ).toBe(true);
        if (movement.returned === 'CONFIRMED') expect(drawn.returned, described).toBe(true);
        expect(movement.returned, described).not.toBe('REPORTED');
        expect(movement.alert, described).not.toBe('contradiction');
        expect(sends - movement.notSentTries - movement.ibanWaits, described).toBeLessThanOrEqual(
          3,
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it('the world is bad enough: it is lost, found, resent and answered late in it', () => {
    const seen = new Set<string>();
    for (const drawn of fc.sample(world, { numRuns: 1_500, seed: 7 })) {
      const { movement, executedAt, story } = live(drawn);
      seen
        .add(movement.state)
        .add(`return ${movement.returned}`)
        .add(`executed ${executedAt.length}`);
      if (story.filter((line) => line.includes('claimed')).length > 1 && movement.everAmbiguous)
        seen.add('resent');
      if (movement.duplicateSeen) seen.add('duplicate');
    }
    expect([...seen].toSorted()).toEqual(
      expect.arrayContaining([
        'COMPLETED',
        'FAILED',
        'REJECTED',
        'UNKNOWN',
        'duplicate',
        'executed 0',
        'executed 1',
        'return CONFIRMED',
        'resent',
      ]),
    );
  });
});
