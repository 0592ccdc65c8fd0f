/** What a movement says, before it has a reference. Frozen once submitted. */
export type MovementContent = {
  wallet: string;
  /** A payout's payee: empty for a transfer, as the tax number is. */
  iban: string;
  name: string;
  taxNumber: string;
  /** A transfer's payee: the wallet that receives. */
  toWallet: string | null;
  /** By what a person's wallet was found: 'phone:90:5330000201', 'account:5510000001'. */
  foundBy: string | null;
  /** The name that the provider answered then, masked; null when it named none. */
  foundName: string | null;
  amountMinor: bigint;
  currency: string;
  /** Empty where the rail has none: between own wallets. */
  paymentType: string;
  description: string;
  /**
   * Of what is done with a card payment: all other parts but the name (the order's number), the
   * amount and the reason are empty.
   */
  card?: CardPart | null;
  /** Of a cashout: the payee's telephone number, digits only. */
  phone?: string | null;
};

/**
 * `beforeMinor`: what the gateway's record said when it was submitted: of a hold what is held, of a
 * refund what had been given back. `refundIdsBefore`: the numbers of the refunds that the same
 * record listed; null where nobody noted them. No part of the content.
 */
export type CardPart = {
  paymentId: string;
  invoiceId: string;
  beforeMinor: bigint;
  refundIdsBefore?: readonly string[] | null;
};

/**
 * Rail and content as one text, different for whatever differs in any of them: its hash is what
 * approvals sign. A payout's is as it was before there were transfers: hashes are stored. Pure.
 */
export function contentText(rail: string, content: MovementContent): string {
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
    rail,
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
