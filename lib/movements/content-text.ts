/** What a movement says, before it has a reference. Frozen once submitted. */
export type MovementContent = {
  wallet: string;
  iban: string;
  name: string;
  taxNumber: string;
  amountMinor: bigint;
  currency: string;
  paymentType: string;
  description: string;
};

/** Rail and content as one text, different for whatever differs in any of them: its hash is what approvals sign. Pure. */
export function contentText(rail: string, content: MovementContent): string {
  const { wallet, iban, name, taxNumber, amountMinor, currency, paymentType, description } = content;
  return JSON.stringify([rail, wallet, iban, name, taxNumber, amountMinor.toString(), currency, paymentType, description]);
}
