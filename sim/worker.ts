import { standingRefusal } from '#lib/begin-check/begin-check.ts';
import type { Begun } from '#lib/begin-check/begin-check.ts';
import type { Clocks, ProviderResponse } from '#lib/movements/claim-rules.ts';
import { oneStep, sendAtOnce } from '#lib/movements/one-step.ts';
import type { Effect as StepEffect } from '#lib/movements/one-step.ts';
import { ledgerQuestion, ledgerRange } from '#lib/movements/ledger-question.ts';
import { isTransfer } from '#lib/movements/kinds.ts';
import type { Exchange } from '#lib/providers/outcome.ts';
import { classifyRead } from '#lib/providers/wallet/classify-read.ts';
import { classifySend } from '#lib/providers/wallet/classify-send.ts';
import { classifyTransfer } from '#lib/providers/wallet/classify-transfer.ts';
import { searchLedger, searchTransfer } from '#lib/providers/wallet/ledger-search.ts';
import { transferContent } from '#lib/transfers/questions.ts';
import { beginFacts, claimDue, recordResponse } from './claim.ts';
import type { Claim, Rules } from './claim.ts';
import { DatabaseFault } from './database.ts';
import type { Row, Tx } from './store.ts';

/**
 * One lane of a worker: a generator that runs the product's own step. The simulator may crash or
 * freeze the process before and after every effect.
 */

export type Effect =
  | { kind: 'transaction'; name: string; work: (tx: Tx) => unknown; token?: string }
  | { kind: 'send'; row: Row; body: string; mayWrite: () => boolean }
  | { kind: 'read'; row: Row }
  | { kind: 'summary'; fields: Record<string, unknown> }
  | { kind: 'sleep'; ms: number };

export type Lane = Generator<Effect, void, unknown>;

const FAULT_PAUSE_MS = 1_000;

type Task = Extract<Claim, { row: Row }>;
type Nothing = Exclude<Claim, Task>;

/** Works until nothing is due. After a database error it waits a moment and continues. */
export function* runLane(rules: Rules, clocks: () => Clocks): Lane {
  for (;;) {
    try {
      if ((yield* advance(rules, clocks)).kind === 'nothing_due') return;
    } catch (error) {
      if (!(error instanceof DatabaseFault)) throw error;
      yield { kind: 'sleep', ms: FAULT_PAUSE_MS };
    }
  }
}

/** Runs the product's own step and carries out its effects in this world. */
function* advance(rules: Rules, clocks: () => Clocks): Generator<Effect, Claim, unknown> {
  const step = oneStep<Task, Nothing>(clocks, sendAtOnce);
  let next = step.next();
  while (!next.done) {
    let value: unknown;
    try {
      value = yield* carryOut(rules, next.value);
    } catch (error) {
      next = step.throw(error);
      continue;
    }
    next = step.next(value);
  }
  return next.value;
}

function* carryOut(rules: Rules, effect: StepEffect<Task>): Generator<Effect, unknown, unknown> {
  switch (effect.kind) {
    case 'claim':
      return yield { kind: 'transaction', name: 'claim', work: (tx) => claimDue(tx, rules) };
    case 'begin':
      return yield* begin(rules, effect.task);
    case 'request': {
      const { row } = effect.task;
      const exchange = (yield {
        kind: 'send',
        row,
        body: rules.bodyOf(row),
        mayWrite: effect.mayWrite,
      }) as Exchange;
      return isTransfer(row.kind)
        ? classifyTransfer(exchange, transferContent(row))
        : classifySend(exchange, row);
    }
    case 'ask':
      return yield* ask(effect.task);
    case 'query':
    case 'renew':
      throw new Error(`no kind that is played here has a step ${effect.kind}`);
    case 'record': {
      const { task, response } = effect;
      return yield {
        kind: 'transaction',
        name: `record ${response.kind} ${response.outcome.kind}`,
        work: (tx) => recordResponse(tx, rules, task, response),
        token: task.token,
      };
    }
    case 'rest':
      return yield { kind: 'sleep', ms: effect.ms };
  }
}

/**
 * Does what lib/movements/begin.ts does. A send that does not begin leaves no entry in the journal.
 */
function* begin({ journal }: Rules, task: Task): Generator<Effect, Begun, unknown> {
  const begun = (yield {
    kind: 'transaction',
    name: 'begin',
    work: (tx) => beginFacts(tx, task),
  }) as Begun;
  if (standingRefusal(begun) === null) journal?.(task.row);
  return begun;
}

function* ask({ kind, row }: Task): Generator<Effect, ProviderResponse, unknown> {
  switch (kind) {
    case 'send':
      throw new Error('a send is no question');
    case 'read': {
      if (isTransfer(row.kind)) {
        const search = searchTransfer(transferContent(row), ledgerRange(row));
        let step = search.next();
        while (!step.done)
          step = search.next((yield { kind: 'summary', fields: step.value }) as Exchange);
        return { source: 'read', kind: 'read', outcome: step.value };
      }
      const exchange = (yield { kind: 'read', row }) as Exchange;
      return { source: 'read', kind: 'read', outcome: classifyRead(exchange, row) };
    }
    case 'ledger': {
      const search = searchLedger(ledgerQuestion(row));
      let step = search.next();
      while (!step.done)
        step = search.next((yield { kind: 'summary', fields: step.value }) as Exchange);
      return { source: 'ledger', kind: 'ledger', outcome: step.value };
    }
  }
}
