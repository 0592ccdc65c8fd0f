import 'server-only';
import { contentHash } from '#lib/movements/content.ts';
import { isTransfer } from '#lib/movements/kinds.ts';
import type { Rejudge } from '#lib/movements/rejudge.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import { withoutSiblings } from '#lib/payment-checks/siblings.ts';
import { blocking, needsReason } from '#lib/payouts/rules.ts';
import { minor } from '#lib/values/money.ts';
import { readKeyText } from '#lib/values/person-key.ts';
import { readPayeeFacts } from './facts.ts';
import { judgeTransferForm } from './judge.ts';
import type { TransferForm } from './schema.ts';
import { askProvider } from './submit.ts';

/** Judges a stored transfer as its form was judged, with what is known now. */
export const rejudgeTransfer: Rejudge = async (movement) => {
  const form = formOf(movement);
  const asked = await askProvider(form, 'tr');
  return async (tx) => {
    const { id, kind, toWallet, name, amountMinor, wallet } = form.content;
    const payee = await readPayeeFacts(tx, {
      kind,
      toWallet,
      name: kind === 'transfer_own' ? null : name,
      wallet,
    });
    const others = payee.recent.filter((one) => one.id !== id);
    const paid = { id, payee: toWallet, amountMinor };
    const recent = await withoutSiblings(tx, paid, others, (one) => one.toWallet);
    const verdict = judgeTransferForm(form, {
      ...asked,
      earlier: null,
      payee: { ...payee, recent },
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

function formOf(raw: RawMovement): TransferForm {
  if (!isTransfer(raw.kind)) throw new Error(`${raw.kind} is no transfer`);
  return {
    content: {
      id: raw.id,
      kind: raw.kind,
      wallet: raw.wallet,
      key: readKeyText(raw.found_by),
      toWallet: raw.to_wallet ?? '',
      name: raw.name,
      amountMinor: minor(raw.amount_minor),
      paymentType: raw.payment_type,
      description: raw.description,
    },
    writtenCurrency: null,
    overrides: raw.overrides,
    overrideReason: raw.override_reason,
  };
}
