'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { LoginWords } from '#app/login/login-form.tsx';
import { AmountBlock } from '#app/movements/form/amount-block.tsx';
import { Block, BlockPair } from '#app/movements/form/block.tsx';
import { FormFrame } from '#app/movements/form/frame.tsx';
import { OverridesBlock } from '#app/movements/form/overrides-block.tsx';
import { DescriptionField, PurposeBlock } from '#app/movements/form/purpose-block.tsx';
import { WalletBlock } from '#app/movements/form/wallet-block.tsx';
import { TRANSFER_FIELDS } from '#lib/transfers/schema.ts';
import { KindBlock } from './kind-block.tsx';
import { BusinessBlock, OwnBlock } from './receiver-block.tsx';
import { PersonBlock } from './person-block.tsx';
import { TransferReview } from './transfer-review.tsx';
import { useTransferForm } from './use-transfer-form.ts';
import type { TransferFormFacts } from './use-transfer-form.ts';

type Props = { facts: TransferFormFacts; lastUsed: string | null; loginWords: LoginWords };

export function TransferForm({ facts, lastUsed, loginWords }: Props): ReactNode {
  const t = useTranslations('newPayout');
  const form = useTransferForm(facts);
  const now = form.payee.answer?.at ?? facts.now;
  const isOwn = form.typed.kind === 'transfer_own';
  return (
    <FormFrame
      form={form}
      fields={TRANSFER_FIELDS}
      list="/transfers"
      now={now}
      loginWords={loginWords}
    >
      {form.step === 'review' ? (
        <TransferReview form={form} types={facts.types} now={now} />
      ) : (
        <>
          <KindBlock form={form} />
          <WalletBlock number={1} form={form} lastUsed={lastUsed} limit={form.limit} />
          {form.typed.kind === 'transfer_person' && <PersonBlock form={form} />}
          {form.typed.kind === 'transfer_business' && <BusinessBlock form={form} />}
          {isOwn && <OwnBlock form={form} />}
          <BlockPair>
            <AmountBlock form={form} />
            {isOwn ? (
              <Block number={4} title={t('blocks.why')} done={!form.read.errors.description}>
                <DescriptionField form={form} types={[]} />
              </Block>
            ) : (
              <PurposeBlock form={form} types={facts.types} usual={null} />
            )}
          </BlockPair>
          <OverridesBlock form={form} now={now} />
        </>
      )}
    </FormFrame>
  );
}
