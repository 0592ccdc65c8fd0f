import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LinkButton } from '#components/ui/button.tsx';
import { Field, Select, TextInput } from '#components/ui/field.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState } from '#components/ui/panel.tsx';
import { Chip } from '#components/ui/table.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount } from '#lib/values/money.ts';
import type { WalletName } from '#lib/wallets/names.ts';

/** The fields that the filters of several lists have in common, and the active filters. */

type Option = { value: string; text: string };

/** The field for the search text. The key `/` moves the focus to it. */
export function SearchField({
  id,
  label,
  value,
  hint,
  max = 100,
}: {
  id: string;
  label: string;
  value: string;
  hint?: string;
  max?: number;
}): ReactNode {
  return (
    <div className="col-span-2 min-w-0 sm:w-72">
      <Field id={id} label={label}>
        <TextInput
          id={id}
          name="q"
          type="search"
          defaultValue={value}
          maxLength={max}
          placeholder={hint}
          data-shortcut="filter"
          enterKeyHint="search"
          autoComplete="off"
        />
      </Field>
    </div>
  );
}

/**
 * Chooses one of the merchant's wallets, one of `others`, or all wallets. The address may name a
 * wallet that is no longer in the list; that wallet stays chosen.
 */
export function WalletField({
  id,
  label,
  all,
  value,
  wallets,
  others = [],
}: {
  id: string;
  label: string;
  all: string;
  value: string | null;
  wallets: readonly WalletName[];
  others?: readonly Option[];
}): ReactNode {
  const own = wallets.map(({ number, name, currency }) => ({
    value: number,
    text: `${name} · ${currency}`,
  }));
  const known = [...others, ...own];
  const isKnown = value === null || known.some((option) => option.value === value);
  const options = isKnown ? known : [...others, { value, text: value }, ...own];
  return (
    <div className="col-span-2 min-w-0 sm:w-48">
      <Field id={id} label={label}>
        <Choice id={id} name="wallet" value={value} all={all} options={options} />
      </Field>
    </div>
  );
}

/** Chooses one of several values, or all. */
export async function ChoiceField({
  id,
  name,
  label,
  value,
  options,
}: {
  id: string;
  name: string;
  label: string;
  value: string | null;
  options: readonly Option[];
}): Promise<ReactNode> {
  const common = await getTranslations('common');
  return (
    <div className="min-w-0 sm:w-40">
      <Field id={id} label={label}>
        <Choice id={id} name={name} value={value} all={common('all')} options={options} />
      </Field>
    </div>
  );
}

function Choice({
  id,
  name,
  value,
  all,
  options,
}: {
  id: string;
  name: string;
  value: string | null;
  all: string;
  options: readonly Option[];
}): ReactNode {
  return (
    <Select id={id} name={name} defaultValue={value ?? ''}>
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </Select>
  );
}

/** A field for an amount in the notation of the person's language; `value` in minor units. */
export function AmountField({
  id,
  name,
  label,
  value,
  locale,
}: {
  id: string;
  name: string;
  label: string;
  value: bigint | null;
  locale: Locale;
}): ReactNode {
  return (
    <div className="min-w-0 sm:w-32">
      <Field id={id} label={label}>
        <TextInput
          id={id}
          name={name}
          inputMode="decimal"
          maxLength={30}
          autoComplete="off"
          defaultValue={value === null ? '' : formatAmount(value, locale)}
          className="text-right"
        />
      </Field>
    </div>
  );
}

/**
 * Shows each active filter as a sentence with a link that removes the filter: `href` is the list
 * without it. `clear`: the list without any filter. `children` stand before the first sentence.
 */
export async function ActiveFilters({
  chips,
  clear = null,
  children = null,
}: {
  chips: readonly { text: string; href: string }[];
  clear?: string | null;
  children?: ReactNode;
}): Promise<ReactNode> {
  if (chips.length === 0 && children === null) return null;
  const common = await getTranslations('common');
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-2">
      {children}
      {chips.map(({ text, href }) => (
        <Chip key={text} href={href} remove={common('removeFilter', { filter: text })}>
          {text}
        </Chip>
      ))}
      {clear !== null && (
        <Link
          href={clear}
          scroll={false}
          className="text-label font-medium text-accent hover:underline"
        >
          {common('clearFilters')}
        </Link>
      )}
    </div>
  );
}

/** The text in place of a list whose filter finds no row. `clear`: the list without the filter. */
export async function NothingFound({
  title,
  clear,
  children,
}: {
  title: string;
  clear: string;
  children?: ReactNode;
}): Promise<ReactNode> {
  const common = await getTranslations('common');
  return (
    <EmptyState
      title={title}
      actions={<LinkButton href={clear}>{common('clearFilters')}</LinkButton>}
    >
      {children}
    </EmptyState>
  );
}
