'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { describedBy, Field } from '#components/ui/field.tsx';
import { groupIban, IBAN_LENGTH, normaliseIban } from '#lib/values/iban.ts';
import { CARD_BALANCE } from '#lib/payouts/schema.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import type { KnownRecipient } from '#lib/recipients/known.ts';
import { Block } from '#app/movements/form/block.tsx';
import { controlId, useFormWords } from '#app/movements/form/form-words.ts';
import { TypedField } from '#app/movements/form/typed-field.tsx';
import { IbanInput } from './iban-input.tsx';
import { RecipientCard } from './recipient-card.tsx';
import { RecipientSearch } from './recipient-search.tsx';
import type { PayoutFormState } from './use-payout-form.ts';

const VKN_LENGTH = 10;
/** Number of latest recipients with a button that fills in their data. */
const RECENT = 3;
const CHIP =
  'block min-h-7 max-w-38 truncate rounded-full border border-hairline bg-raised px-3 text-label ' +
  'font-medium hover:border-control pointer-coarse:min-h-11';

/** `types`: the codes of payment types that the provider offers now. */
export function RecipientBlock({
  form,
  known,
  types,
}: {
  form: PayoutFormState;
  known: KnownRecipient[];
  types: readonly string[];
}): ReactNode {
  const t = useTranslations('newPayout');
  const { read } = form;
  const done =
    !read.errors.iban && !read.errors.name && !read.errors.taxNumber && !read.errors.phone;
  const choose = (recipient: KnownRecipient): void => {
    form.typeAll({
      iban: groupIban(recipient.iban),
      name: recipient.name,
      taxNumber: recipient.taxNumber,
      ...(form.typed.paymentType === '' && types.includes(recipient.last?.paymentType ?? '')
        ? { paymentType: recipient.last!.paymentType }
        : {}),
    });
    document.getElementById(controlId('amount'))?.focus();
  };
  return (
    <Block
      number={1}
      title={t('blocks.to')}
      done={done}
      beside={known.length > 0 && <Recent known={known} onChoose={choose} />}
    >
      <div className="grid items-start gap-2.5 sm:grid-cols-2 sm:gap-x-3">
        {known.length > 0 && (
          <div className="sm:col-span-2 @2xl:col-span-1">
            <RecipientSearch known={known} onChoose={choose} />
          </div>
        )}
        <div className={`sm:col-span-2 ${known.length > 0 ? '@2xl:col-span-1' : ''}`}>
          <IbanField form={form} />
        </div>
        <TypedField form={form} name="name" label={t('recipient.name')} />
        <TaxField form={form} />
      </div>
      {/* The gateway refuses a card-balance payout without a phone number. */}
      {form.wallet?.number === CARD_BALANCE && (
        <TypedField
          form={form}
          name="phone"
          label={t('recipient.phone')}
          hint={t('recipient.phoneHint')}
          inputMode="tel"
        />
      )}
      <RecipientCard form={form} />
    </Block>
  );
}

/** The latest recipients: one press fills in their data. */
function Recent({
  known,
  onChoose,
}: {
  known: readonly KnownRecipient[];
  onChoose: (recipient: KnownRecipient) => void;
}): ReactNode {
  const t = useTranslations('newPayout.recipient');
  return (
    <ul aria-label={t('recent')} className="flex min-w-0 flex-wrap gap-1.5">
      {known.slice(0, RECENT).map((recipient) => (
        <li key={recipient.payeeId} className="min-w-0">
          <button type="button" onClick={() => onChoose(recipient)} className={CHIP}>
            {recipient.name}
          </button>
        </li>
      ))}
    </ul>
  );
}

function IbanField({ form }: { form: PayoutFormState }): ReactNode {
  const t = useTranslations('newPayout.recipient');
  const words = useFormWords();
  const id = controlId('iban');
  const bank = form.findings.find(
    (finding) => finding.code === 'iban_ok' || finding.code === 'iban_ok_bank_unknown',
  );
  const length = normaliseIban(form.typed.iban).length;
  const error = form.touched.has('iban') ? words.error(form.read.errors.iban) : null;
  // The name of the bank replaces the hint, so that nothing below moves.
  const hint = error ? null : bank ? words.finding(bank, '') : t('ibanHint');
  return (
    <Field
      id={id}
      label={t('iban')}
      trailing={
        <span className="tabular-nums">{t('ibanCount', { have: length, need: IBAN_LENGTH })}</span>
      }
      error={error}
      hint={hint}
    >
      <IbanInput
        id={id}
        value={form.typed.iban}
        invalid={error !== null}
        describedBy={describedBy(id, { error, hint })}
        onType={(text) => form.type('iban', text)}
        onLeave={() => form.touch('iban')}
      />
    </Field>
  );
}

/** One field for both kinds of tax number: its label follows the digits. */
function TaxField({ form }: { form: PayoutFormState }): ReactNode {
  const t = useTranslations('newPayout.recipient');
  const digits = form.typed.taxNumber.replace(/\D/g, '').length;
  const check = checkTaxNumber(form.typed.taxNumber);
  const kind =
    digits < VKN_LENGTH
      ? 'tax'
      : check.kind === 'ok'
        ? check.type === 'VKN'
          ? 'taxVkn'
          : 'taxTckn'
        : digits === VKN_LENGTH
          ? 'taxVkn'
          : 'taxTckn';
  return (
    <TypedField
      form={form}
      name="taxNumber"
      label={t(kind)}
      hint={t('taxHint')}
      hintBeside
      inputMode="numeric"
    />
  );
}
