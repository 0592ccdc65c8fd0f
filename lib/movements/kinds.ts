/** Every way for money to leave, by the names that rows, switches and hashes hold. Pure. */
export const TRANSFER_RAILS = ['transfer_person', 'transfer_business', 'transfer_own'] as const;
export type TransferRail = (typeof TRANSFER_RAILS)[number];
/**
 * What is done with a card payment that exists: it has no wallet and no payee, it has its payment.
 */
export const CARD_RAILS = ['card_capture', 'card_release', 'card_refund'] as const;
export type CardRail = (typeof CARD_RAILS)[number];
/**
 * Money of the card balance to a bank account: a payout's payee, and none of the wallet service's
 * promises.
 */
export const CASHOUT = 'cashout';
/**
 * The wallet service's: they leave a wallet, end in its ledger and carry an id that it knows again.
 */
export const WALLET_RAILS = ['payout', ...TRANSFER_RAILS] as const;
export const RAIL_NAMES = [...WALLET_RAILS, ...CARD_RAILS, CASHOUT] as const;
export type RailName = (typeof RAIL_NAMES)[number];

/** What its provider promises of a rail. */
export type Promises = {
  /**
   * It documents what it answers to an id that it has seen (`contract`): 1 to payouts, 301 to the
   * three transfers. Without that a machine sends nothing twice, however quiet it stays.
   */
  knowsIds: boolean;
  /** It answers what became of one that has left. Where it does not, only people learn more. */
  answersQuestions: boolean;
  /**
   * What has ended is looked at again, in a ledger: for its transaction, and for money that comes
   * back.
   */
  keepsLedger: boolean;
};

const WALLETS: Promises = { knowsIds: true, answersQuestions: true, keepsLedger: true };
/** What ended of a card payment is the payment's to tell, which goes on being looked at. */
const CARDS: Promises = { knowsIds: false, answersQuestions: true, keepsLedger: false };
const PROMISES: ReadonlyMap<string, Promises> = new Map(
  Object.entries({
    payout: WALLETS,
    transfer_person: WALLETS,
    transfer_business: WALLETS,
    transfer_own: WALLETS,
    card_capture: CARDS,
    card_release: CARDS,
    card_refund: CARDS,
    cashout: { knowsIds: false, answersQuestions: false, keepsLedger: false },
  } satisfies Record<RailName, Promises>),
);

const UNNAMED: Promises = { ...WALLETS, knowsIds: false };

/** Of a rail that is not named nobody knows: it is asked about, and never sent twice. */
export function promisesOf(rail: string): Promises {
  return PROMISES.get(rail) ?? UNNAMED;
}

export function isTransfer(rail: string): rail is TransferRail {
  return TRANSFER_RAILS.some((one) => one === rail);
}

export function isCardOperation(rail: string): rail is CardRail {
  return CARD_RAILS.some((one) => one === rail);
}

/** What goes through the card gateway, whatever the wallet service says of itself. */
export function isGateways(rail: string): boolean {
  return rail === CASHOUT || isCardOperation(rail);
}

/** Where a movement is shown: what is done with a card payment, on that payment's page. */
export function movementAddress({
  rail,
  id,
  cardPaymentId = null,
}: {
  rail: string;
  id: string;
  cardPaymentId?: string | null;
}): string {
  if (cardPaymentId !== null) return `/cards/payments/${cardPaymentId}`;
  return `/${isTransfer(rail) ? 'transfers' : 'payouts'}/${id}`;
}
