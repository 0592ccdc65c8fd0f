'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { describedBy, Field, Select, TextInput } from '#components/ui/field.tsx';
import { descriptionLength } from '#lib/form-fields/money-form.ts';
import { Block } from './block.tsx';
import { controlId, useFormWords } from './form-words.ts';
import type { MoneyForm, PaymentChoice } from './money-form.ts';

type Usual = { code: string; times: number; of: number } | null;
type Props = { form: MoneyForm; types: readonly PaymentChoice[] };

/**
 * The payment type, from the provider's list: this recipient's usual one first, then those that the
 * person used last, but none preselected.
 */
export function PurposeBlock({
  form,
  types,
  usual,
  recent = [],
}: {
  form: MoneyForm;
  /** Null where no payment type is needed. */ types: Props['types'] | null;
} & {
  /** What this payee is usually paid for. */
  usual: Usual;
  /** The codes that the person used last. */
  recent?: readonly string[];
}): ReactNode {
  const t = useTranslations('newPayout');
  const { read, findings } = form;
  const done =
    !read.errors.paymentType &&
    !read.errors.description &&
    !findings.some((finding) => finding.code === 'description_too_short');
  return (
    <Block number={4} title={t('blocks.why')} done={done}>
      {types !== null && <TypeField form={form} types={types} usual={usual} recent={recent} />}
      <DescriptionField form={form} types={types ?? []} />
    </Block>
  );
}

function TypeField({
  form,
  types,
  usual,
  recent,
}: Props & { usual: Usual; recent: readonly string[] }): ReactNode {
  const t = useTranslations('newPayout.why');
  const words = useFormWords();
  const id = controlId('paymentType');
  const suggested = usual === null ? undefined : types.find((type) => type.code === usual.code);
  const used = recent.flatMap(
    (code) => types.find((type) => type.code === code && type !== suggested) ?? [],
  );
  const others = types.filter((type) => type !== suggested && !used.includes(type));
  const error =
    types.length === 0
      ? t('typesMissing')
      : form.touched.has('paymentType')
        ? words.error(form.read.errors.paymentType)
        : null;
  const option = (type: PaymentChoice): ReactNode => (
    <option key={type.code} value={type.code}>
      {type.code} · {type.description}
    </option>
  );
  return (
    <Field id={id} label={t('type')} error={error}>
      <Select
        id={id}
        name="paymentType"
        value={form.typed.paymentType}
        required
        aria-invalid={error !== null || undefined}
        aria-describedby={describedBy(id, { error })}
        onChange={(event) => form.type('paymentType', event.target.value)}
        onBlur={() => form.touch('paymentType')}
      >
        <option value="" disabled>
          {t('choose')}
        </option>
        {suggested && usual && (
          <optgroup label={t('suggested', { times: usual.times, of: usual.of })}>
            {option(suggested)}
          </optgroup>
        )}
        {used.length > 0 && <optgroup label={t('recent')}>{used.map(option)}</optgroup>}
        {others.length < types.length ? (
          <optgroup label={t('all')}>{others.map(option)}</optgroup>
        ) : (
          types.map(option)
        )}
      </Select>
    </Field>
  );
}

export function DescriptionField({ form, types }: Props): ReactNode {
  const t = useTranslations('newPayout.why');
  const words = useFormWords();
  const id = controlId('description');
  const need = types.find((type) => type.code === form.typed.paymentType)?.descriptionMin ?? 0;
  const short = form.findings.find((finding) => finding.code === 'description_too_short');
  const error = form.touched.has('description')
    ? (words.error(form.read.errors.description) ?? (short ? words.finding(short, '') : null))
    : null;
  const hint = error
    ? null
    : need > 0
      ? t('descriptionHint', { min: need })
      : t('descriptionOptional');
  return (
    <Field
      id={id}
      label={t('description')}
      error={error}
      hint={hint}
      hintBeside={need === 0}
      trailing={
        need > 0 ? (
          <span className="tabular-nums">
            {t('counter', { have: descriptionLength(form.typed.description), need })}
          </span>
        ) : undefined
      }
    >
      <TextInput
        id={id}
        name="description"
        value={form.typed.description}
        autoComplete="off"
        aria-invalid={error !== null || undefined}
        aria-describedby={describedBy(id, { error, hint })}
        onChange={(event) => form.type('description', event.target.value)}
        onBlur={() => form.touch('description')}
      />
    </Field>
  );
}
