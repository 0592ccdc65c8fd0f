'use client';

import { useLocale, useTranslations } from 'next-intl';
import { useState } from 'react';
import { useOnce } from '#app/movements/form/use-sending.ts';
import type { ActionProblem } from '#lib/login/action-state.ts';
import type { ChargeError, FieldErrors, TypedCharge } from '#lib/cards/checkout/schema.ts';
import type { ChargeKind } from '#lib/cards/checkout/content.ts';
import type { Offer } from '#lib/cards/checkout/offer.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount, formatMoney, parseAmount } from '#lib/values/money.ts';
import { startCharge } from './actions.ts';

type Typed = Omit<TypedCharge, 'id' | 'locale' | 'total'>;
export type TypedItem = Typed['items'][number];
type Problem = Exclude<ActionProblem, { kind: 'fields' }> | { kind: 'lost' };

export type ChargeFormState = {
  typed: Typed;
  offer: Offer;
  locale: Locale;
  type: (part: Partial<Typed>) => void;
  typeItem: (index: number, part: Partial<TypedItem>) => void;
  addItem: () => void;
  removeItem: (index: number) => void;
  error: (field: string) => string | null;
  hasErrors: boolean;
  money: (minor: bigint) => string;
  /** The total; null while an item has an unreadable price or quantity. */
  sum: bigint | null;
  /** The total as the server reads it. */
  total: string;
  /** What is typed, by the name or id of its control. */
  controls: Readonly<Record<string, unknown>>;
  takeOver: (found: Record<string, string>) => void;
  problem: Problem | null;
  sending: boolean;
  send: () => void;
};

const ITEM: TypedItem = { name: '', description: '', price: '', quantity: '1' };

/** The id of a control of an item. */
export function itemControl(index: number, field: string): string {
  return `charge-item-${index}-${field}`;
}

/** State of the form. What was typed stays after any response; the server parses it again. */
export function useChargeForm(
  id: string,
  offer: Offer,
  wanted: ChargeKind | null,
): ChargeFormState {
  const t = useTranslations('charges');
  const locale = useLocale() as Locale;
  const [typed, setTyped] = useState<Typed>(() =>
    empty(wanted !== null && offer.ways.includes(wanted) ? wanted : (offer.ways[0] ?? 'link')),
  );
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const type = (part: Partial<Typed>): void => {
    setTyped((before) => ({ ...before, ...part }));
    setProblem(null);
    // A field's error is hidden while it is being corrected.
    setErrors((before) =>
      Object.fromEntries(
        Object.entries(before).filter(
          ([field]) =>
            !(field in part) &&
            !('items' in part && (field.startsWith('items') || field === 'total')),
        ),
      ),
    );
  };
  const minor = (text: string): bigint | null => {
    const parsed = parseAmount(text, locale, typed.currency);
    return parsed.kind === 'ok' ? parsed.minor : null;
  };
  const sum = sumOf(typed.items, minor);
  const total = sum === null ? '' : formatAmount(sum, locale);
  const { sending, send } = useOnce({
    submit: () => startCharge({ ...typed, total, id, locale }),
    onAnswer: (answer) => {
      if (answer.kind === 'made') {
        location.assign(answer.href);
        // The form stays closed until the browser has left it.
        return new Promise<void>(() => undefined);
      }
      if (answer.kind === 'fields') setErrors(answer.errors as FieldErrors);
      else setProblem(answer);
    },
    onFault: () => setProblem({ kind: 'lost' }),
  });
  return {
    typed,
    offer,
    locale,
    type,
    problem,
    sending,
    send,
    hasErrors: Object.keys(errors).length > 0,
    typeItem: (index, part) =>
      type({ items: typed.items.map((item, at) => (at === index ? { ...item, ...part } : item)) }),
    addItem: () => type({ items: [...typed.items, ITEM] }),
    removeItem: (index) => type({ items: typed.items.filter((_item, at) => at !== index) }),
    error: (field) =>
      errors[field] === undefined
        ? null
        : t(`errors.${errors[field].code satisfies ChargeError}`, errors[field].params ?? {}),
    money: (amount) => formatMoney(amount, typed.currency, locale),
    sum,
    total,
    controls: { ...typed, ...controlsOf(typed.items) },
    takeOver: (found) => type(partsIn(found, typed)),
  };
}

function controlsOf(items: readonly TypedItem[]): Record<string, string> {
  return Object.fromEntries(
    items.flatMap((item, at) =>
      Object.entries(item).map(([field, text]) => [itemControl(at, field), text]),
    ),
  );
}

function partsIn(found: Record<string, string>, typed: Typed): Partial<Typed> {
  return {
    ...Object.fromEntries(Object.entries(found).filter(([field]) => field in typed)),
    items: typed.items.map((item, at) => ({ ...item, ...itemIn(found, at) })),
  };
}

function itemIn(found: Record<string, string>, at: number): Partial<TypedItem> {
  return Object.fromEntries(
    Object.keys(ITEM).flatMap((field) => {
      const text = found[itemControl(at, field)];
      return text === undefined ? [] : [[field, text]];
    }),
  );
}

function sumOf(items: readonly TypedItem[], minor: (text: string) => bigint | null): bigint | null {
  let sum = 0n;
  for (const { price, quantity } of items) {
    const one = minor(price);
    if (one === null || !/^\d{1,4}$/.test(quantity.trim())) return null;
    sum += one * BigInt(quantity.trim());
  }
  return sum;
}

function empty(kind: ChargeKind): Typed {
  return {
    kind,
    currency: 'TRY',
    description: '',
    items: [ITEM],
    name: '',
    surname: '',
    email: '',
    phone: '',
    address1: '',
    address2: '',
    city: '',
    state: '',
    postcode: '',
    country: '',
    installments: '1',
    commissionBy: null,
    cardProgram: null,
    hold: false,
    verifyFirst: false,
    recurring: false,
    recurringCount: '',
    recurringCycle: 'month',
    recurringInterval: '1',
    insurance: false,
    identityNumber: '',
    agriculture: false,
    maturityPeriod: '',
    paymentFrequency: '',
    customerNumber: '',
    savedCard: '',
  };
}
