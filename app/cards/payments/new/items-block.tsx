'use client';

import { Plus, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { useFocusAfterRemoval } from '#components/focus-after-removal.ts';
import { Button } from '#components/ui/button.tsx';
import { describedBy, Field, Select, TextInput } from '#components/ui/field.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { CURRENCIES, ITEMS_MAX } from '#lib/cards/checkout/schema.ts';
import { itemControl } from './use-charge-form.ts';
import type { ChargeFormState, TypedItem } from './use-charge-form.ts';

/** The items. Their sum is the total: the gateway refuses a payment whose total differs. */
export function ItemsBlock({ form }: { form: ChargeFormState }): ReactNode {
  const t = useTranslations('charges.items');
  const { typed, type, sum, money } = form;
  const problem = sum === null ? null : form.error('total');
  const box = useFocusAfterRemoval<HTMLDivElement>(typed.items.length);
  return (
    <Panel title={t('title')}>
      <div ref={box} className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
        {typed.items.map((item, index) => (
          <Item key={index} form={form} item={item} index={index} />
        ))}
        {form.error('items') !== null && (
          <p className="text-label font-medium text-failed">{form.error('items')}</p>
        )}
        <div>
          <AddButton count={typed.items.length} onAdd={form.addItem} />
        </div>
        <div className="grid items-start gap-3 border-t border-hairline pt-4 sm:grid-cols-[minmax(0,1fr)_8rem]">
          <dl className="grid gap-1.5">
            <dt className="text-label font-medium text-muted">{t('total')}</dt>
            <dd className="text-title leading-9 tabular-nums">{sum === null ? '–' : money(sum)}</dd>
            {problem !== null && (
              <dd role="alert" className="text-label font-medium text-failed">
                {problem}
              </dd>
            )}
          </dl>
          <Field id="charge-currency" label={t('currency')}>
            <Select
              id="charge-currency"
              value={typed.currency}
              onChange={(event) =>
                type({ currency: CURRENCIES.find((one) => one === event.target.value) ?? 'TRY' })
              }
            >
              {CURRENCIES.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      </div>
    </Panel>
  );
}

/** Closed at the maximum number of items, which it then gives as the reason. */
export function AddButton({ count, onAdd }: { count: number; onAdd: () => void }): ReactNode {
  const t = useTranslations('charges.items');
  const id = useId();
  const isFull = count >= ITEMS_MAX;
  return (
    <>
      <Button
        aria-disabled={isFull}
        aria-describedby={isFull ? id : undefined}
        onClick={() => {
          if (!isFull) onAdd();
        }}
      >
        <Plus aria-hidden className="size-4" />
        {t('add')}
      </Button>
      <p id={id} role="status" className="mt-1.5 text-label text-attention empty:hidden">
        {isFull ? t('full', { max: ITEMS_MAX }) : ''}
      </p>
    </>
  );
}

const ITEM =
  'grid grid-cols-[minmax(0,1fr)_5rem_auto] items-start gap-3 border-b border-hairline pb-4 ' +
  'last-of-type:border-0 last-of-type:pb-0 ' +
  'sm:grid-cols-[minmax(0,1.2fr)_minmax(0,1.2fr)_8rem_5rem_auto]';

const REMOVE_BUTTON =
  'mt-[26px] grid size-9 place-items-center rounded-control text-muted ' +
  'hover:bg-draft-ground hover:text-ink disabled:invisible pointer-coarse:size-11';

function Item({
  form,
  item,
  index,
}: {
  form: ChargeFormState;
  item: TypedItem;
  index: number;
}): ReactNode {
  const t = useTranslations('charges.items');
  const field = (
    name: keyof TypedItem,
    more: { className?: string; inputMode?: 'decimal' | 'numeric' } = {},
  ): ReactNode => {
    const id = itemControl(index, name);
    const error = form.error(`items.${index}.${name}`);
    return (
      <Field id={id} label={t(name)} error={error}>
        <TextInput
          id={id}
          autoComplete="off"
          value={item[name]}
          aria-invalid={error !== null || undefined}
          aria-describedby={describedBy(id, { error })}
          onChange={(event) => form.typeItem(index, { [name]: event.target.value })}
          {...more}
        />
      </Field>
    );
  };
  return (
    <fieldset className={ITEM}>
      <legend className="sr-only">{index + 1}</legend>
      <div className="max-sm:col-span-3">{field('name')}</div>
      <div className="max-sm:col-span-3">{field('description')}</div>
      {field('price', { className: 'text-right tabular-nums', inputMode: 'decimal' })}
      {field('quantity', { className: 'text-right tabular-nums', inputMode: 'numeric' })}
      <button
        type="button"
        aria-label={t('remove', { number: index + 1 })}
        disabled={form.typed.items.length === 1}
        onClick={() => form.removeItem(index)}
        className={REMOVE_BUTTON}
      >
        <Trash2 aria-hidden className="size-4" />
      </button>
    </fieldset>
  );
}
