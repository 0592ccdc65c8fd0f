import 'server-only';
import { contentHash } from '#lib/movements/content.ts';
import type { Rejudge } from '#lib/movements/rejudge.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import { withoutSiblings } from '#lib/payment-checks/siblings.ts';
import { minor } from '#lib/values/money.ts';
import { freshWallet, paymentTypes } from '#lib/wallets/ask.ts';
import { offersCashout } from './card-balance/offered.ts';
import { readRecipientFacts } from './facts.ts';
import { CARD_BALANCE, judgePayout } from './judge.ts';
import type { PayoutFormFacts } from './judge.ts';
import { blocking, needsReason } from './rules.ts';
import { walletOf } from './schema.ts';
import type { PayoutForm } from './schema.ts';

/** Judges a stored payout as its form was judged, with what is known now. */
export const rejudgePayout: Rejudge = async (movement) => {
  const form = formOf(movement);
  const asked = await askSource(form);
  return async (tx) => {
    if (asked === null) return 'cashout_not_configured';
    const { id, iban, name, taxNumber, amountMinor, source } = form.content;
    const recipient = await readRecipientFacts(tx, {
      iban,
      name,
      taxNumber,
      wallet: walletOf(source),
    });
    const others = recipient.recent.filter((one) => one.id !== id);
    const paid = { id, payee: iban, amountMinor };
    const recent = await withoutSiblings(tx, paid, others, (one) => one.iban);
    const verdict = judgePayout(form, {
      ...asked,
      earlier: null,
      recipient: { ...recipient, recent },
    });
    switch (verdict.kind) {
      case 'refused':
        return verdict.code;
      case 'findings': {
        const [first] = blocking(verdict.findings);
        return first?.code ?? needsReason(verdict.findings, form.overrides)[0] ?? null;
      }
      case 'new':
        return contentHash(movement.kind, verdict.content) === movement.content_hash
          ? null
          : 'content_changed';
      case 'earlier':
        return null;
    }
  };
};

async function askSource({
  content: { source },
}: PayoutForm): Promise<Pick<PayoutFormFacts, 'balance' | 'types'> | null> {
  if (source.kind === 'card_balance')
    return offersCashout() ? { balance: CARD_BALANCE, types: null } : null;
  return { balance: await freshWallet(source.number), types: await paymentTypes('tr') };
}

function formOf(raw: RawMovement): PayoutForm {
  return {
    content: {
      id: raw.id,
      source: raw.wallet === '' ? { kind: 'card_balance' } : { kind: 'wallet', number: raw.wallet },
      iban: raw.iban,
      name: raw.name,
      taxNumber: raw.tax_number,
      amountMinor: minor(raw.amount_minor),
      paymentType: raw.payment_type,
      description: raw.description,
      ...(raw.phone === null ? {} : { phone: raw.phone }),
    },
    writtenCurrency: null,
    overrides: raw.overrides,
    overrideReason: raw.override_reason,
  };
}
