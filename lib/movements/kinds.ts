/** Every way for money to leave, by the names that rows, switches and hashes hold. Pure. */
export const TRANSFER_KINDS = ['transfer_person', 'transfer_business', 'transfer_own'] as const;
export type TransferKindName = (typeof TRANSFER_KINDS)[number];
/**
 * What is done with a card payment that exists: it has no wallet and no payee, it has its payment.
 */
export const CARD_OPERATION_KINDS = ['card_capture', 'card_release', 'card_refund'] as const;
export type CardOperationKind = (typeof CARD_OPERATION_KINDS)[number];
/**
 * Money of the card balance to a bank account: a payout's payee, and none of the wallet service's
 * promises.
 */
export const CARD_BALANCE_PAYOUT = 'cashout';
/**
 * The wallet service's: they leave a wallet, end in its ledger and carry an id that it knows again.
 */
export const WALLET_KINDS = ['payout', ...TRANSFER_KINDS] as const;
export const KIND_NAMES = [...WALLET_KINDS, ...CARD_OPERATION_KINDS, CARD_BALANCE_PAYOUT] as const;
export type KindName = (typeof KIND_NAMES)[number];

/** What its provider promises of a rail. */
export type Capabilities = {
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

const WALLETS: Capabilities = { knowsIds: true, answersQuestions: true, keepsLedger: true };
/** What ended of a card payment is the payment's to tell, which goes on being looked at. */
const CARDS: Capabilities = { knowsIds: false, answersQuestions: true, keepsLedger: false };
const PROMISES: ReadonlyMap<string, Capabilities> = new Map(
  Object.entries({
    payout: WALLETS,
    transfer_person: WALLETS,
    transfer_business: WALLETS,
    transfer_own: WALLETS,
    card_capture: CARDS,
    card_release: CARDS,
    card_refund: CARDS,
    cashout: { knowsIds: false, answersQuestions: false, keepsLedger: false },
  } satisfies Record<KindName, Capabilities>),
);

const UNNAMED: Capabilities = { ...WALLETS, knowsIds: false };

/** Of a rail that is not named nobody knows: it is asked about, and never sent twice. */
export function capabilitiesOf(rail: string): Capabilities {
  return PROMISES.get(rail) ?? UNNAMED;
}

export function isTransfer(rail: string): rail is TransferKindName {
  return TRANSFER_KINDS.some((one) => one === rail);
}

export function isCardOperation(rail: string): rail is CardOperationKind {
  return CARD_OPERATION_KINDS.some((one) => one === rail);
}

/** What goes through the card gateway, whatever the wallet service says of itself. */
export function isCardGatewayKind(rail: string): boolean {
  return rail === CARD_BALANCE_PAYOUT || isCardOperation(rail);
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
