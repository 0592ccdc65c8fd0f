/** Every way for money to leave, by the names stored in rows, switches and hashes. Pure. */
export const TRANSFER_KINDS = ['transfer_person', 'transfer_business', 'transfer_own'] as const;
export type TransferKindName = (typeof TRANSFER_KINDS)[number];
/**
 * Operations on an existing card payment: they have that payment instead of a wallet and a payee.
 */
export const CARD_OPERATION_KINDS = ['card_capture', 'card_release', 'card_refund'] as const;
export type CardOperationKind = (typeof CARD_OPERATION_KINDS)[number];
/**
 * From the card balance to a bank account: a payee like a payout's, but none of the wallet
 * service's guarantees.
 */
export const CARD_BALANCE_PAYOUT = 'cashout';
/**
 * Kinds of the wallet service: they debit a wallet, appear in its ledger, and their id is
 * recognised when it is sent again.
 */
export const WALLET_KINDS = ['payout', ...TRANSFER_KINDS] as const;
export const KIND_NAMES = [...WALLET_KINDS, ...CARD_OPERATION_KINDS, CARD_BALANCE_PAYOUT] as const;
export type KindName = (typeof KIND_NAMES)[number];

/** What the provider guarantees for a movement kind. */
export type Capabilities = {
  /**
   * Its answer to an id that it has seen is documented (`contract`): 1 for payouts, 301 for the
   * three transfers. Without that a worker never resends, even if no response comes.
   */
  knowsIds: boolean;
  /**
   * It can be queried for the outcome of a sent movement. Otherwise only people can find it out.
   */
  answersQuestions: boolean;
  /** Ended movements are checked again in a ledger, for their transaction and for returns. */
  keepsLedger: boolean;
};

const WALLETS: Capabilities = { knowsIds: true, answersQuestions: true, keepsLedger: true };
/** An ended card operation is followed on the card payment, which is still read. */
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

/** Unknown kind: poll it, never resend. */
export function capabilitiesOf(rail: string): Capabilities {
  return PROMISES.get(rail) ?? UNNAMED;
}

export function isTransfer(rail: string): rail is TransferKindName {
  return TRANSFER_KINDS.some((one) => one === rail);
}

export function isCardOperation(rail: string): rail is CardOperationKind {
  return CARD_OPERATION_KINDS.some((one) => one === rail);
}

/** Sent through the card gateway, so independent of the wallet service's state. */
export function isCardGatewayKind(rail: string): boolean {
  return rail === CARD_BALANCE_PAYOUT || isCardOperation(rail);
}

/** The page of a movement; a card operation is shown on its payment's page. */
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
