/** The content of a movement without its reference. It never changes after the submit. */
export type MovementContent = {
  wallet: string;
  /** The IBAN of the payee; empty for a transfer, as is the tax number. */
  iban: string;
  name: string;
  taxNumber: string;
  /** The payee of a transfer: the receiving wallet. */
  toWallet: string | null;
  /** The search that found a person's wallet: 'phone:90:5330000201', 'account:5510000001'. */
  foundBy: string | null;
  /** The masked name that the provider returned for it; null when it returned none. */
  foundName: string | null;
  amountMinor: bigint;
  currency: string;
  /** Empty for a transfer between own wallets, which has no payment type. */
  paymentType: string;
  description: string;
  /**
   * The card part, which only a card operation has. A card operation fills of the other fields only
   * name (the order number), amount and reason.
   */
  card?: CardPart | null;
  /** The payee's telephone number, digits only, which only a card-balance payout has. */
  phone?: string | null;
};

/**
 * The part of the content that only a card operation has. `beforeMinor`: the amount in the
 * gateway's record at submit: for an authorization the authorized amount, for a refund the amount
 * refunded so far. `refundIdsBefore`: the refund ids in the same record; null where they were not
 * stored. They are no part of the hashed content.
 */
export type CardPart = {
  paymentId: string;
  invoiceId: string;
  beforeMinor: bigint;
  refundIdsBefore?: readonly string[] | null;
};

/**
 * Kind and content as one unambiguous text; approvals sign its hash. The form for payouts must not
 * change: hashes of older payouts are stored. Pure.
 */
export function contentText(kind: string, content: MovementContent): string {
  const {
    wallet,
    iban,
    name,
    taxNumber,
    toWallet,
    foundBy,
    foundName,
    amountMinor,
    currency,
    paymentType,
    description,
    card,
    phone,
  } = content;
  return JSON.stringify([
    kind,
    wallet,
    iban,
    name,
    taxNumber,
    amountMinor.toString(),
    currency,
    paymentType,
    description,
    ...(toWallet === null ? [] : [toWallet, foundBy, foundName]),
    ...(card ? [card.paymentId, card.invoiceId, card.beforeMinor.toString()] : []),
    ...(phone ? [phone] : []),
  ]);
}
