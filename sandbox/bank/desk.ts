import { credit, release, settle } from '../books.ts';
import { newId } from '../ids.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { World } from '../world.ts';
import { payoutNotice } from './notice.ts';
import { magicOf } from '../magic.ts';

/**
 * Simulates the bank behind the payouts: it completes, rejects, fails or returns each accepted
 * request, by itself when the step is due or when a person presses a button in the console.
 */

export const BANK_OUTCOMES = [
  'complete',
  'reject',
  'fail',
  'manual',
  'approve',
  'return',
  'cancel',
] as const;
export type BankOutcome = (typeof BANK_OUTCOMES)[number];

/**
 * The state of a payout at the bank. The read operations show only its process_level_status
 * (LEVELS).
 */
export type BankState =
  | 'pending'
  | 'manual'
  | 'completed'
  | 'rejected'
  | 'failed'
  | 'cancelled'
  | 'returned';

/**
 * The process_level_status of each state. A returned payout keeps level 1 unless the switch
 * `returned_level` has another value.
 */
export const LEVELS: Record<BankState, number> = {
  pending: 0,
  manual: 0,
  completed: 1,
  rejected: 2,
  failed: 3,
  cancelled: 2,
  returned: 1,
};

const ALLOWED: Record<BankState, readonly BankOutcome[]> = {
  pending: ['complete', 'reject', 'fail', 'manual', 'cancel'],
  manual: ['approve', 'complete', 'reject', 'fail', 'cancel'],
  completed: ['return'],
  rejected: [],
  failed: [],
  cancelled: [],
  returned: [],
};

const NEXT: Record<BankOutcome, BankState> = {
  complete: 'completed',
  approve: 'completed',
  reject: 'rejected',
  fail: 'failed',
  cancel: 'cancelled',
  manual: 'manual',
  return: 'returned',
};

/**
 * The after_process_status of the notification about each outcome: 1 completed, 2 rejected, 3
 * manual, 4 failed or cancelled, 5 returned.
 */
const NOTICE_STATUS: Record<BankOutcome, number> = {
  complete: 1,
  approve: 1,
  reject: 2,
  fail: 4,
  cancel: 4,
  manual: 3,
  return: 5,
};

const BETWEEN_STEPS_MS = 2000;
const STEPS_PER_RUN = 500;
const REVERSED_NOTICE_HELD_MS = 5000;

export type StepResult = { ok: true; state: BankState } | { ok: false; why: string };

/**
 * Applies one outcome to one payout request: state, money and ledger in one transaction with the
 * notification. Refuses an outcome that the request's state does not allow.
 */
export function applyOutcome(
  world: World,
  request: Row,
  outcome: BankOutcome,
  at: number,
): StepResult {
  const before = text(request.bank_state) as BankState;
  if (!ALLOWED[before].includes(outcome)) {
    const can = ALLOWED[before].join(', ') || 'nothing any more';
    return { ok: false, why: `request ${text(request.id)} is ${before}; possible now: ${can}` };
  }
  const state = NEXT[outcome];
  world.store.tx(() => {
    moveMoney(world, request, state, at);
    const level = state === 'returned' ? world.questions.returned_level : LEVELS[state];
    world.store.run(
      'UPDATE requests SET level = ?, bank_state = ?, due_at = NULL, updated_at = ? WHERE id = ?',
      level,
      state,
      at,
      text(request.id),
    );
    if (outcome !== 'manual' || world.questions.manual_sends_notice)
      announce(world, request, outcome);
  });
  return { ok: true, state };
}

function moveMoney(world: World, request: Row, state: BankState, at: number): void {
  const wallet = text(request.wallet_number);
  const amount = minor(request.amount);
  const fee = minor(request.fee);
  const movement = text(request.movement_id);
  if (state === 'completed') {
    settle(world, wallet, amount, fee, at);
    const listed = Math.max(at, num(request.listed_from));
    world.store.run(
      "UPDATE movements SET state = 'posted', status_id = 20, completed_at = ?, listed_at = ? WHERE id = ?",
      at,
      listed,
      movement,
    );
  } else if (state === 'rejected' || state === 'failed' || state === 'cancelled') {
    release(world, wallet, amount, fee, num(request.accepted_at), at);
    world.store.run(
      "UPDATE movements SET state = 'void', status_id = 40, completed_at = ? WHERE id = ?",
      at,
      movement,
    );
  } else if (state === 'returned') giveBack(world, request, at);
}

/**
 * Credits a returned payout to its wallet and writes a ledger line for the credit. The switch
 * `refund_shows` chooses whether the read operations show that line, status 60 of the payout, or
 * both.
 */
function giveBack(world: World, request: Row, at: number): void {
  const amount =
    minor(request.amount) + (world.questions.return_includes_fee ? minor(request.fee) : 0n);
  credit(world, text(request.wallet_number), amount, at);
  const { refund_shows: shows, return_linked_by: linked } = world.questions;
  const line = shows === 'status60' ? 'return_unlisted' : 'return';
  world.store.run(
    `INSERT INTO movements (id, kind, type_id, state, status_id, from_wallet, to_wallet, amount,
      fee, currency, ext_id, request_id, ref_id,
       description, other_name, other_iban, created_at, completed_at, listed_at)
     VALUES (?, ?, 1004, 'posted', 20, NULL, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    newId(),
    line,
    text(request.wallet_number),
    amount,
    text(request.currency),
    linked === 'ext_id' ? text(request.ext_id) : null,
    text(request.id),
    linked === 'tx_ref' ? text(request.movement_id) : null,
    `Banka iadesi: ${text(request.description) || text(request.ext_id)}`,
    text(request.holder),
    text(request.iban),
    at,
    at,
    at,
  );
  if (shows !== 'credit_line')
    world.store.run(
      'UPDATE movements SET status_id = 60, updated_at = ? WHERE id = ?',
      at,
      text(request.movement_id),
    );
}

function announce(world: World, request: Row, outcome: BankOutcome): void {
  const magic = world.questions.magic_values
    ? magicOf(minor(request.amount), text(request.iban))
    : {};
  const status = NOTICE_STATUS[outcome];
  world.notices.queue({
    event: `payout ${status}`,
    extId: text(request.ext_id),
    body: payoutNotice(request, status),
    copies: magic.notices,
    heldMs: magic.noticesReversed && status === 1 ? REVERSED_NOTICE_HELD_MS : 0,
  });
}

/**
 * Returns when an accepted request gets its first outcome, in virtual milliseconds (null: it waits
 * for a person), and which outcome that is.
 */
export function firstStep(
  world: World,
  amount: bigint,
  iban: string,
  at: number,
): { dueAt: number | null; outcome: BankOutcome } {
  const magic = world.questions.magic_values ? magicOf(amount, iban) : {};
  const outcome = magic.bank?.[0] ?? 'complete';
  if (world.bankMode.mode === 'manual') return { dueAt: null, outcome };
  return { dueAt: at + (magic.bankDelayMs ?? world.bankMode.delayMs), outcome };
}

/**
 * Runs the bank steps that are due, in order of time. The next step of a magic value (a return
 * after its completion) follows two seconds later, or after the magic value's own delay.
 */
export function runBank(world: World, now: number): void {
  world.store.tx(() => {
    for (const request of world.store.all(
      'SELECT * FROM requests WHERE due_at <= ? ORDER BY due_at LIMIT ?',
      now,
      STEPS_PER_RUN,
    )) {
      const at = num(request.due_at);
      const outcome = text(request.due_outcome) as BankOutcome;
      world.store.run('UPDATE requests SET due_at = NULL WHERE id = ?', text(request.id));
      const result = applyOutcome(world, request, outcome, at);
      const magic = world.questions.magic_values
        ? magicOf(minor(request.amount), text(request.iban))
        : {};
      const steps = magic.bank ?? [];
      const next = steps[steps.indexOf(outcome) + 1];
      if (result.ok && steps.includes(outcome) && next)
        world.store.run(
          'UPDATE requests SET due_at = ?, due_outcome = ? WHERE id = ?',
          at + (magic.returnAfterMs ?? BETWEEN_STEPS_MS),
          next,
          text(request.id),
        );
    }
  });
}

export function nextBankStep(world: World): number | null {
  const row = world.store.get('SELECT MIN(due_at) AS due FROM requests WHERE due_at IS NOT NULL');
  return row?.due === null || row === undefined ? null : num(row.due);
}

/**
 * Applies a change of the bank mode to pending requests: `auto` gives each waiting request a due
 * time, `manual` removes the due times.
 */
export function rearmBank(world: World): void {
  const now = world.clock.now();
  if (world.bankMode.mode === 'manual')
    world.store.run("UPDATE requests SET due_at = NULL WHERE bank_state = 'pending'");
  else
    world.store.run(
      "UPDATE requests SET due_at = ? WHERE bank_state = 'pending' AND due_at IS NULL",
      now + world.bankMode.delayMs,
    );
  world.scheduler.poke(nextBankStep(world) ?? Infinity);
}

/**
 * Returns the rows of the bank's desk, newest first: at most `limit` open requests, then at most
 * `limit` ended ones without the seeded.
 */
export function deskRows(world: World, limit: number): Row[] {
  return world.store.all(
    `SELECT *
      FROM (SELECT * FROM requests WHERE bank_state IN ('pending', 'manual')
      ORDER BY accepted_at DESC LIMIT ?)
     UNION ALL SELECT * FROM (SELECT * FROM requests WHERE bank_state NOT IN ('pending', 'manual')
       AND seeded = 0 ORDER BY accepted_at DESC LIMIT ?)`,
    limit,
    limit,
  );
}

export const possibleOutcomes = (state: string): readonly BankOutcome[] =>
  ALLOWED[state as BankState] ?? [];
