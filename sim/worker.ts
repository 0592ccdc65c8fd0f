import { mayStillBegin } from '#lib/movements/claim-rules.ts';
import type { Clocks, Heard } from '#lib/movements/claim-rules.ts';
import { ledgerQuestion } from '#lib/payouts/questions.ts';
import type { Exchange } from '#lib/providers/outcome.ts';
import { classifyRead } from '#lib/providers/wallet/classify-read.ts';
import { classifySend } from '#lib/providers/wallet/classify-send.ts';
import { searchLedger } from '#lib/providers/wallet/ledger-search.ts';
import { claimDue, recordHeard } from './claim.ts';
import type { Claim, Rules } from './claim.ts';
import { DatabaseFault } from './database.ts';
import type { Row, Tx } from './store.ts';

/**
 * One lane of a worker: claim, ask, record, as lib/movements/advance.ts does it. A generator: whoever drives it may crash or
 * freeze the process before and after every effect.
 */

export type Effect =
  | { kind: 'transaction'; name: string; work: (tx: Tx) => unknown; token?: string }
  | { kind: 'send'; row: Row; body: string; mayWrite: () => boolean }
  | { kind: 'read'; row: Row }
  | { kind: 'summary'; fields: Record<string, unknown> }
  | { kind: 'sleep'; ms: number };

export type Lane = Generator<Effect, void, unknown>;

const RECORD_RETRY_MS = [50, 200, 1_000, 3_000, 5_000, 10_000];
const FAULT_PAUSE_MS = 1_000;

type Task = Extract<Claim, { row: Row }>;

/** Ends when nothing is due; whatever goes wrong with the database rests a moment and goes on. */
export function* runLane(rules: Rules, clocks: () => Clocks): Lane {
  for (;;) {
    try {
      const began = clocks();
      const claim = (yield { kind: 'transaction', name: 'claim', work: (tx) => claimDue(tx, rules) }) as Claim;
      if (claim.kind === 'nothing_due') return;
      if (claim.kind === 'settled') continue;
      const evidence = yield* ask(claim, rules, () => mayStillBegin(began, clocks()));
      yield* recordUntilHeld(rules, claim, evidence);
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      yield { kind: 'sleep', ms: FAULT_PAUSE_MS };
    }
  }
}

function* ask({ kind, row }: Task, rules: Rules, mayWrite: () => boolean): Generator<Effect, Heard, unknown> {
  switch (kind) {
    case 'send': {
      const exchange = (yield { kind: 'send', row, body: rules.bodyOf(row), mayWrite }) as Exchange;
      return { witness: 'answer', kind: 'answer', outcome: classifySend(exchange, row) };
    }
    case 'read': {
      const exchange = (yield { kind: 'read', row }) as Exchange;
      return { witness: 'read', kind: 'read', outcome: classifyRead(exchange, row) };
    }
    case 'ledger': {
      const search = searchLedger(ledgerQuestion(row));
      let step = search.next();
      while (!step.done) step = search.next((yield { kind: 'summary', fields: step.value }) as Exchange);
      return { witness: 'ledger', kind: 'ledger', outcome: step.value };
    }
  }
}

function* recordUntilHeld(rules: Rules, claim: Task, evidence: Heard): Generator<Effect, void, unknown> {
  for (const wait of [...RECORD_RETRY_MS, null]) {
    try {
      yield { kind: 'transaction', name: `record ${evidence.kind} ${evidence.outcome.kind}`, work: (tx) => recordHeard(tx, rules, claim, evidence), token: claim.token };
      return;
    } catch (error) {
      if (!(error instanceof DatabaseFault) || wait === null) throw error;
      yield { kind: 'sleep', ms: wait };
    }
  }
}
