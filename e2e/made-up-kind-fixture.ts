import { createHash } from 'node:crypto';
import type * as Kinds from '#lib/movements/kinds.ts';
import type { KindFacts, MovementRef } from '#lib/movements/kinds.ts';
import type { MovementKind } from '#lib/movements/kind.ts';
import { sendAtOnce } from '#lib/movements/one-step.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { LedgerOutcome, ReadOutcome, SendOutcome } from '#lib/providers/outcome.ts';

/**
 * A kind of movement that the product does not have, as a feature would add it: one row of the
 * table of kinds, and one value for the worker.
 */
export const STANDING_ORDER = 'standing_order';

const ROW: KindFacts = {
  provider: 'wallet',
  capabilities: {
    knowsIds: false,
    answersQuestions: true,
    record: 'request',
    keepsLedger: true,
    sendsWebhooks: false,
    recordOutlastsPeople: false,
    ibanCooldownMs: null,
    listingLagMs: 60_000,
  },
  payee: 'bank_account',
  list: 'payouts',
  page: ({ id }: MovementRef) => `/standing-orders/${id}`,
  policyClass: 'payout',
  permission: 'payout.prepare',
  isHarmlessTwice: false,
  needsOtherAfterRestore: false,
  stateWords: { PENDING: 'LEDGER_PENDING' },
  title: null,
  claimWords: 'payout',
};

/** The table of kinds with the row added. */
export function withStandingOrders(kinds: typeof Kinds): typeof Kinds {
  (kinds.KINDS as Map<string, KindFacts>).set(STANDING_ORDER, ROW);
  return kinds;
}

export type Answers = {
  send: (movement: MovementRow) => SendOutcome;
  read: (movement: MovementRow) => ReadOutcome;
  ledger: (movement: MovementRow) => LedgerOutcome;
};

/** The value for the worker. `requests`: what the provider received, in order. */
export function standingOrderKind({ send, read, ledger }: Answers): {
  kind: MovementKind;
  requests: string[];
} {
  const requests: string[] = [];
  const received = <Outcome>(what: string, outcome: Outcome): Promise<Outcome> => {
    requests.push(what);
    return Promise.resolve(outcome);
  };
  const kind: MovementKind = {
    name: STANDING_ORDER,
    requestHash: ({ extId }) => createHash('sha256').update(extId).digest('hex'),
    order: sendAtOnce,
    query: async () => null,
    async send(movement, beforeWrite) {
      if (!beforeWrite()) throw new Error('the begin check refused');
      return received('send', send(movement));
    },
    read: (movement) => received('read', read(movement)),
    ledger: (movement) => received('ledger', ledger(movement)),
  };
  return { kind, requests };
}
