import { shop } from '../card-shop.ts';
import { sandbox, type Arrived, type LedgerLine } from '../sandbox.ts';
import { word } from '../words.ts';
import type { Book } from './books.ts';
import { SENDS, type Kind, type Operation } from './plan.ts';
import type { Place } from './stock.ts';
import type { Claim } from './web.ts';

/**
 * Decides which state of each operation is right, from what the providers executed. Our own records
 * are not trusted here.
 */

/**
 * A movement of money, or a voided authorization. `reference`: the number that the provider stores
 * with it, where it stores one.
 */
export type Executed = { amount: string; state: string; reference: string | null };
/** What the providers executed, by operation. `strange`: executed without a request. */
export type ProviderBooks = {
  executed: Map<string, Executed[]>;
  arrived: Map<string, Arrived[]>;
  strange: LedgerLine[];
};

/**
 * Our name of each kind → its name in the provider's ledger. Sales are missing: the web shop makes
 * them, and the product requests none.
 */
const LEDGER_KINDS: Readonly<Partial<Record<Kind, string>>> = {
  payout: 'payout',
  card_balance_payout: 'cashout',
  capture: 'card_capture',
  refund: 'card_refund',
  plan_charge: 'card_recurring',
};
const VOIDED = 'Cancelled';

export async function readProviders(
  operations: readonly Operation[],
  places: ReadonlyMap<string, Place>,
): Promise<ProviderBooks> {
  const lines = new Map<Kind, LedgerLine[]>();
  for (const [kind, name] of Object.entries(LEDGER_KINDS))
    lines.set(kind as Kind, await sandbox.ledger(name));
  const requests = new Map<string, Arrived[]>();
  // The request log lists a delayed execution a second time, although there was no second request.
  for (const name of new Set(Object.values(SENDS)))
    requests.set(
      name,
      (await sandbox.requests(name)).filter((one) => one.fault !== 'late: done now'),
    );
  const gateway = await shop();
  const executed = new Map<string, Executed[]>();
  const known = new Set<string>();
  for (const one of operations) {
    const mine = (lines.get(one.kind) ?? []).filter((line) => isOf(one, line));
    for (const line of mine) known.add(line.id);
    executed.set(
      one.id,
      mine.map((line) => ({
        amount: line.amount,
        state: line.state,
        reference: line.ext_transaction_id ?? line.ref ?? null,
      })),
    );
    if (one.kind !== 'void') continue;
    const isVoided = (await gateway.check(one.invoice))['transaction_status'] === VOIDED;
    if (isVoided)
      executed.set(one.id, [{ amount: decimal(one.amountMinor), state: 'live', reference: null }]);
  }
  const arrived = new Map(
    operations.map((one) => [
      one.id,
      requests.get(SENDS[one.kind])!.filter(({ body }) => body.includes(nameOf(one, places))),
    ]),
  );
  return {
    executed,
    arrived,
    strange: [...lines.values()].flat().filter((line) => !known.has(line.id)),
  };
}

/**
 * Whether a line of the provider's ledger belongs to an operation. They are matched by payee or
 * order, not by our reference: the same payment under another reference is a duplicate.
 */
function isOf(one: Operation, line: LedgerLine): boolean {
  if (!('invoice' in one)) return line.iban === one.payee.iban;
  // Each charge of a plan is an order of its own. Its number begins with that of the plan's first
  // order.
  return one.kind === 'plan_charge'
    ? line.invoice_id?.startsWith(`${one.invoice}-`) === true
    : line.invoice_id === one.invoice;
}

/** The identifier by which a request names its operation. */
export function nameOf(one: Operation, places: ReadonlyMap<string, Place>): string {
  if (!('invoice' in one)) return one.payee.iban;
  return one.kind === 'plan_charge' ? places.get(one.id)!.planCode! : `"${one.invoice}"`;
}

/**
 * Whether the right amount was executed, once, under our own reference where the provider stores
 * one. No execution is right for a refused operation, for one that waited for a person, and for a
 * charge that ended as not charged.
 */
export function isExecutedRightly(
  one: Operation,
  executed: readonly Executed[],
  book: Book,
  hasWaited: boolean,
): boolean {
  if (executed.length === 0) return one.fate === 'refused' || hasWaited || isUnsent(book);
  const [line] = executed;
  const isOurs =
    book.reference === null || line!.reference === null || line!.reference === book.reference;
  return (
    executed.length === 1 &&
    one.fate !== 'refused' &&
    isOurs &&
    line!.amount === decimal(one.amountMinor)
  );
}

/** Whether a plan's charge ended without a payment: it could not be sent, or was refused. */
function isUnsent({ kind, state }: Book): boolean {
  return kind === 'plan_charge' && state === 'NOT_CHARGED';
}

const DONE: Readonly<Record<Kind, string>> = {
  payout: 'COMPLETED',
  card_balance_payout: 'PENDING',
  capture: 'COMPLETED',
  void: 'COMPLETED',
  refund: 'COMPLETED',
  plan_charge: 'CHARGED',
};
const BANK_STATES: Record<string, string> = {
  rejected: 'REJECTED',
  failed: 'FAILED',
  cancelled: 'REJECTED',
};

/**
 * The states that are right by the provider's records alone. UNKNOWN is right only where a person
 * decides.
 */
export function statesBy(one: Operation, executed: readonly Executed[], book: Book): string[] {
  const [line] = executed;
  const isWaiting = book.waits ? ['UNKNOWN'] : [];
  if (line === undefined)
    return book.waits
      ? isWaiting
      : one.kind === 'plan_charge'
        ? ['NOT_CHARGED']
        : ['REJECTED', 'FAILED'];
  if (one.kind === 'payout') return [BANK_STATES[line.state] ?? DONE.payout];
  // A card-balance payout cannot be queried: after a lost response it waits for a person, although
  // it was executed.
  return [DONE[one.kind], ...(one.kind === 'card_balance_payout' ? isWaiting : [])];
}

/**
 * What people can claim at once about a waiting operation. Null when the rules require a day to
 * pass first, or when it is closed in another way.
 */
export function claimOf(one: Operation, executed: readonly Executed[]): Claim | null {
  switch (one.kind) {
    case 'capture':
    case 'void':
    case 'refund':
      return executed.length === 0 ? 'not_done' : null;
    case 'card_balance_payout':
      return executed.length === 0 ? null : 'taken';
    case 'payout':
    case 'plan_charge':
      return null;
  }
}

/** Texts that the operation's page must contain. */
export function wordsBy(one: Operation, executed: readonly Executed[], book: Book): string {
  const amount = `₺${decimal(one.amountMinor)}`;
  const isDone = executed.length > 0;
  switch (one.kind) {
    case 'payout':
    case 'card_balance_payout': {
      const [state] = book.waits ? ['UNKNOWN'] : statesBy(one, executed, book);
      return `${amount} ${word('en', 'states', state === 'PENDING' ? 'GATEWAY_ACCEPTED' : state!)}`;
    }
    case 'plan_charge':
      return word(
        'en',
        'recurring',
        `log.states.${book.waits ? 'UNKNOWN' : statesBy(one, executed, book)[0]}`,
      );
    case 'capture':
    case 'void':
      if (book.waits) return unknownBand(one.kind === 'capture' ? 'capture' : 'release', amount);
      if (isDone && one.kind === 'capture' && one.amountMinor < one.totalMinor)
        return word('en', 'cards', 'capturedPart', { amount });
      return word(
        'en',
        'cards',
        `sentences.${isDone ? { capture: 'captured', void: 'cancelled' }[one.kind] : 'held'}`,
      );
    case 'refund': {
      if (book.waits) return unknownBand('refund', amount);
      const refunded = one.amountMinor === one.totalMinor ? 'refunded' : 'partly_refunded';
      return word('en', 'cards', `sentences.${isDone ? refunded : 'completed'}`);
    }
  }
}

/** The text that a page shows of a card operation with an unknown outcome. */
function unknownBand(what: 'capture' | 'release' | 'refund', amount: string): string {
  return word('en', 'card-dialogs', 'band.unknown.title', {
    what: word('en', 'card-dialogs', `what.${what}`, { amount }),
  });
}

function decimal(amountMinor: number): string {
  return (amountMinor / 100).toFixed(2);
}
