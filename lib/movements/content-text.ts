/** The content of a movement without its reference. Frozen once submitted. */
export type MovementContent = {
  wallet: string;
  /** The payee of a payout; empty for a transfer, like the tax number. */
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
  /** Empty for the kind that has none: between own wallets. */
  paymentType: string;
  description: string;
  /**
   * Only of a card operation; of its other fields only name (the order number), amount and reason
   * are filled.
   */
  card?: CardPart | null;
  /** Only of a card-balance payout: the payee's telephone number, digits only. */
  phone?: string | null;
};

/**
 * `beforeMinor`: what the gateway's record showed at submit: for an authorization the authorized
 * amount, for a refund the amount refunded so far. `refundIdsBefore`: the refund ids in the same
 * record; null where they were not stored, and no part of the content.
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
