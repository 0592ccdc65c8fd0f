'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { LoginWords } from '#app/login/login-form.tsx';
import { AmountBlock } from '#app/movements/form/amount-block.tsx';
import { BlockPair } from '#app/movements/form/block.tsx';
import { FormFrame } from '#app/movements/form/frame.tsx';
import { OverridesBlock } from '#app/movements/form/overrides-block.tsx';
import { PurposeBlock } from '#app/movements/form/purpose-block.tsx';
import { WalletBlock } from '#app/movements/form/wallet-block.tsx';
import { draftHistory } from '#lib/payouts/draft.ts';
import { CARD_BALANCE, PAYOUT_FIELDS } from '#lib/payouts/schema.ts';
import type { LastUsed } from '#lib/payouts/last-used.ts';
import type { KnownRecipient } from '#lib/recipients/known.ts';
import { PayoutReview } from './payout-review.tsx';
import { RecipientBlock } from './recipient-block.tsx';
import { usePayoutForeseen } from './use-payout-foreseen.ts';
import { usePayoutForm } from './use-payout-form.ts';
import type { FormFacts } from './use-payout-form.ts';

type Props = {
  facts: FormFacts;
  known: KnownRecipient[];
  last: LastUsed;
  loginWords: LoginWords;
};

export function PayoutForm({ facts, known, last, loginWords }: Props): ReactNode {
  const t = useTranslations('newPayout');
  const form = usePayoutForm(facts);
  const now = form.recipient.answer?.at ?? facts.now;
  const usual =
    draftHistory(form.read, form.recipient.answer, form.wallet?.currency ?? null)?.paymentType ??
    null;
  const fromCardBalance = form.wallet?.number === CARD_BALANCE;
  const isHeld = facts.stopped[fromCardBalance ? 'cashout' : 'payout'];
  const foreseen = usePayoutForeseen(form);
  const leaves = isHeld ? 'held' : foreseen === null ? 'now' : 'approval';
  const when = (
    <p className="text-label text-muted">
      <span className="font-medium text-ink">{t(`when.${leaves}`)}.</span> {t(`when.${leaves}Text`)}{' '}
      {t('when.bank')}
    </p>
  );
  return (
    <FormFrame
      form={form}
      fields={PAYOUT_FIELDS}
      list="/payouts"
      now={now}
      loginWords={loginWords}
      note={when}
    >
      {form.step === 'review' ? (
        <PayoutReview form={form} foreseen={foreseen} types={facts.types} now={now} />
      ) : (
        <>
          <RecipientBlock form={form} known={known} types={facts.types.map(({ code }) => code)} />
          <WalletBlock
            number={2}
            form={form}
            lastUsed={last.wallet}
            limit="withdrawal"
            card={facts.card}
          />
          <BlockPair>
            <AmountBlock form={form} />
            <PurposeBlock
              form={form}
              types={fromCardBalance ? null : facts.types}
              usual={usual}
              recent={last.types}
            />
          </BlockPair>
          <div className="px-4 lg:hidden">{when}</div>
          <OverridesBlock form={form} now={now} />
        </>
      )}
    </FormFrame>
  );
}
