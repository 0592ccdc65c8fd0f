import type { Permission } from '#lib/access/actor.ts';
import type { PolicyClass } from '#lib/policy/rules.ts';
import type { State } from './state.ts';

/**
 * The table of movement kinds: one row for each way in which money can leave. Other files read a
 * field of the row instead of comparing the kind's name. Pure: the browser, the worker and the
 * simulator read it.
 */

/** What the provider guarantees for a movement kind. */
export type Capabilities = {
  /**
   * The contract documents how the provider answers an id that it has seen before (`contract`):
   * code 1 for payouts, 301 for the three transfers. Without that a worker never resends, even if
   * no response comes.
   */
  knowsIds: boolean;
  /** Ended movements are checked again in a ledger, for their transaction and for returns. */
  keepsLedger: boolean;
  /** A webhook about the movement is documented. */
  sendsWebhooks: boolean;
  /** A second payment to one IBAN is refused within this time; null where no IBAN is paid. */
  ibanCooldownMs: number | null;
  /** How long after a request arrived its record may still be missing from the provider's list. */
  listingLagMs: number;
  /**
   * The record still shows whether the operation was carried out after people said that it was not,
   * so it can contradict them. A void's record cannot: the authorization may have lapsed.
   */
  recordOutlastsPeople: boolean;
} & (
  | {
      /**
       * The provider can be queried for the outcome of a sent movement. Otherwise only people can
       * find the outcome out.
       */
      answersQuestions: true;
      /**
       * The record that a query reads. `request`: a record of our request with a number of its own.
       * `ledger_entry`: the entry in the ledger, and no other record. `payment`: the card payment
       * that the operation changes; it carries the payment's number.
       */
      record: 'request' | 'ledger_entry' | 'payment';
    }
  | { answersQuestions: false; record: null }
);

/**
 * The wallet service refuses a second transfer to one IBAN within a minute (326); five seconds are
 * added for clock differences. The gateway's payouts keep the same distance.
 */
export const IBAN_COOLDOWN_MS = 65_000;
/**
 * The wallet service lists a request after 20 minutes at the latest (`contract`). The gateway
 * documents no such time, so the same one is assumed.
 */
export const LISTING_LAG_MS = 20 * 60_000;

export type MovementRef = { id: string; cardPaymentId?: string | null };

export type KindFacts = {
  /**
   * The provider that carries the movement out; the two providers' states do not depend on each
   * other.
   */
  provider: 'wallet' | 'card';
  capabilities: Capabilities;
  /** Who receives the money; null for an operation on a payment. An own wallet is no recipient. */
  payee: 'bank_account' | 'wallet' | 'own_wallet' | null;
  /** The list and the search group that show it. */
  list: 'payouts' | 'transfers' | 'card_operations';
  page: (movement: MovementRef) => string;
  /**
   * What rules of the approval policy call it; null where no rule applies: an authorization would
   * lapse while its capture waits for a person.
   */
  policyClass: PolicyClass | null;
  /** The permission to state how a movement of this kind ended. */
  permission: Permission;
  /**
   * Whether one person is enough to state that the operation was not carried out, where the record
   * is unchanged: carrying it out a second time takes no money twice.
   */
  isHarmlessTwice: boolean;
  /**
   * Whether a person other than the maker has to confirm the send after a restore, because the
   * provider cannot be queried whether the movement was sent before.
   */
  needsOtherAfterRestore: boolean;
  /** The states that the screens call by another word for this kind; message keys in "states". */
  stateWords: Readonly<Partial<Record<State | 'RETURNED', KindStateWord>>>;
  /** The title in mixed lists, in "home"; null where the payee's name is the title. */
  title: `cardOperations.${CardOperationKind}` | null;
  /** The claims of people about it, in "secondPerson.claims". */
  claimWords: 'payout' | 'cashout' | CardOperationKind;
};

export type KindStateWord =
  | 'LEDGER_PENDING'
  | 'LEDGER_LATE'
  | 'CAME_BACK'
  | 'GATEWAY_ACCEPTED'
  | 'GATEWAY_PENDING'
  | 'GATEWAY_LATE'
  | 'NOT_DONE';

const payoutPage = ({ id }: MovementRef): string => `/payouts/${id}`;
const transferPage = ({ id }: MovementRef): string => `/transfers/${id}`;
/** A card operation is shown on its payment's page. */
const paymentPage = ({ id, cardPaymentId = null }: MovementRef): string =>
  cardPaymentId === null ? payoutPage({ id }) : `/cards/payments/${cardPaymentId}`;

const PAYOUT: KindFacts = {
  provider: 'wallet',
  capabilities: {
    knowsIds: true,
    answersQuestions: true,
    record: 'request',
    keepsLedger: true,
    sendsWebhooks: true,
    ibanCooldownMs: IBAN_COOLDOWN_MS,
    listingLagMs: LISTING_LAG_MS,
    recordOutlastsPeople: false,
  },
  payee: 'bank_account',
  list: 'payouts',
  page: payoutPage,
  policyClass: 'payout',
  permission: 'payout.prepare',
  isHarmlessTwice: false,
  needsOtherAfterRestore: false,
  stateWords: {},
  title: null,
  claimWords: 'payout',
};

/**
 * A transfer between wallets: its ledger entry completes it, as a bank's answer completes a payout.
 */
const TRANSFER: KindFacts = {
  ...PAYOUT,
  capabilities: {
    knowsIds: true,
    answersQuestions: true,
    record: 'ledger_entry',
    keepsLedger: true,
    sendsWebhooks: false,
    ibanCooldownMs: null,
    listingLagMs: LISTING_LAG_MS,
    recordOutlastsPeople: false,
  },
  payee: 'wallet',
  list: 'transfers',
  page: transferPage,
  policyClass: 'transfer',
  stateWords: {
    PENDING: 'LEDGER_PENDING',
    MANUAL_REVIEW: 'LEDGER_LATE',
    RETURNED: 'CAME_BACK',
  },
};

/**
 * An operation on an existing card payment: it has that payment instead of a wallet and a payee.
 * After the operation has ended, workers still read the payment, which shows later changes.
 */
const CARD_OPERATION = {
  provider: 'card',
  capabilities: {
    knowsIds: false,
    answersQuestions: true,
    record: 'payment',
    keepsLedger: false,
    sendsWebhooks: true,
    ibanCooldownMs: null,
    listingLagMs: LISTING_LAG_MS,
    recordOutlastsPeople: true,
  },
  payee: null,
  list: 'card_operations',
  page: paymentPage,
  policyClass: null,
  permission: 'card.capture',
  isHarmlessTwice: true,
  needsOtherAfterRestore: false,
  stateWords: {
    PENDING: 'GATEWAY_PENDING',
    MANUAL_REVIEW: 'GATEWAY_LATE',
    REJECTED: 'NOT_DONE',
    FAILED: 'NOT_DONE',
  },
} as const satisfies Partial<KindFacts>;

/**
 * The kind of a payout from the card balance to a bank account: its payee is like a payout's, but
 * it has none of the wallet service's guarantees.
 */
export const CARD_BALANCE_PAYOUT = 'cashout' satisfies KindName;

/**
 * The rows of the table, by the names that the database, the stop switches and the content hashes
 * store.
 */
const ROWS = {
  payout: PAYOUT,
  transfer_person: TRANSFER,
  transfer_business: TRANSFER,
  transfer_own: { ...TRANSFER, payee: 'own_wallet', policyClass: 'own_transfer' },
  card_capture: {
    ...CARD_OPERATION,
    title: 'cardOperations.card_capture',
    claimWords: 'card_capture',
  },
  card_release: {
    ...CARD_OPERATION,
    capabilities: { ...CARD_OPERATION.capabilities, recordOutlastsPeople: false },
    title: 'cardOperations.card_release',
    claimWords: 'card_release',
  },
  card_refund: {
    ...CARD_OPERATION,
    policyClass: 'refund',
    permission: 'card.refund',
    isHarmlessTwice: false,
    title: 'cardOperations.card_refund',
    claimWords: 'card_refund',
  },
  cashout: {
    ...PAYOUT,
    provider: 'card',
    capabilities: {
      knowsIds: false,
      answersQuestions: false,
      record: null,
      keepsLedger: false,
      sendsWebhooks: true,
      ibanCooldownMs: IBAN_COOLDOWN_MS,
      listingLagMs: LISTING_LAG_MS,
      recordOutlastsPeople: false,
    },
    needsOtherAfterRestore: true,
    stateWords: { PENDING: 'GATEWAY_ACCEPTED' },
    claimWords: 'cashout',
  },
} as const satisfies Record<string, KindFacts>;

export type KindName = keyof typeof ROWS;

/** The rows by name, for the name in a database row, which a newer version may have written. */
export const KINDS: ReadonlyMap<string, KindFacts> = new Map<string, KindFacts>(
  Object.entries(ROWS),
);
export const KIND_NAMES = Object.keys(ROWS) as KindName[];

export const TRANSFER_KINDS = ['transfer_person', 'transfer_business', 'transfer_own'] as const;
export type TransferKindName = (typeof TRANSFER_KINDS)[number];
export const CARD_OPERATION_KINDS = ['card_capture', 'card_release', 'card_refund'] as const;
export type CardOperationKind = (typeof CARD_OPERATION_KINDS)[number];

/** The kind of an audit entry that names none, and of a state that is shown without its kind. */
export const UNNAMED_KIND: KindName = 'payout';

/** The facts of an unknown kind: a movement of it is polled and never sent again. */
const UNKNOWN_KIND: KindFacts = {
  ...PAYOUT,
  capabilities: { ...PAYOUT.capabilities, knowsIds: false },
};

/** `kind`: the stored name of a kind. */
export function kindOf(kind: string): KindFacts {
  return KINDS.get(kind) ?? UNKNOWN_KIND;
}

export function capabilitiesOf(kind: string): Capabilities {
  return kindOf(kind).capabilities;
}

/** The names of the kinds with these facts, in the order of the table. */
export function kindsWhere(fits: (facts: KindFacts) => boolean): string[] {
  return [...KINDS].flatMap(([name, facts]) => (fits(facts) ? [name] : []));
}

export function isTransfer(kind: string): kind is TransferKindName {
  return TRANSFER_KINDS.some((one) => one === kind);
}

export function isCardOperation(kind: string): kind is CardOperationKind {
  return CARD_OPERATION_KINDS.some((one) => one === kind);
}

/**
 * The lists of movements: payouts from the card balance are rows of the list of payouts with that
 * source only, and card operations of none.
 */
export const LIST_NAMES = ['payouts', 'card_balance', 'transfers', 'card_operations'] as const;
export type ListName = (typeof LIST_NAMES)[number];

export function listOf(kind: string): ListName {
  return kind === CARD_BALANCE_PAYOUT ? 'card_balance' : kindOf(kind).list;
}

/** The page of a movement. */
export function movementAddress({ kind, ...movement }: MovementRef & { kind: string }): string {
  return kindOf(kind).page(movement);
}
