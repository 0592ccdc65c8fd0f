import * as z from 'zod';
import { typesCard } from '#lib/values/card-number.ts';
import { LOCALES } from '#lib/values/locale.ts';
import { parseAmount } from '#lib/values/money.ts';
import { CARD_CURRENCIES } from './filter.ts';

/** Validation of the forms for payment links of the merchant panel and for sending them. Pure. */

const PRODUCT_MAX = 100;
const DESCRIPTION_MAX = 250;

export const PANEL_LINK_USES = ['single', 'multi'] as const;
export const PANEL_LINK_LISTS = ['active', 'passive'] as const;
export const PANEL_LINK_WAYS = ['email', 'phone'] as const;

export type PanelLinkForm = {
  product: string;
  description: string | null;
  amountMinor: bigint;
  currency: (typeof CARD_CURRENCIES)[number];
  use: (typeof PANEL_LINK_USES)[number];
};
export type PanelLinkError = 'product' | 'description' | 'amount' | 'card_number';

const one = z
  .string()
  .catch('')
  .transform((text) => text.normalize('NFC').replace(/\s+/gu, ' ').trim());
const form = z.object({
  product: one,
  description: one,
  amount: one,
  currency: z.enum(CARD_CURRENCIES).catch('TRY'),
  use: z.enum(PANEL_LINK_USES).catch('single'),
  locale: z.enum(LOCALES).catch('tr'),
});

export function readPanelLinkForm(
  fields: Record<string, unknown>,
): { ok: true; form: PanelLinkForm } | { ok: false; error: PanelLinkError } {
  const { product, description, amount: typed, currency, use, locale } = form.parse(fields);
  if (typesCard(product) || typesCard(description)) return { ok: false, error: 'card_number' };
  if (product === '' || product.length > PRODUCT_MAX) return { ok: false, error: 'product' };
  if (description.length > DESCRIPTION_MAX) return { ok: false, error: 'description' };
  const amount = parseAmount(typed, locale, currency);
  if (amount.kind !== 'ok') return { ok: false, error: 'amount' };
  return {
    ok: true,
    form: {
      product,
      description: description === '' ? null : description,
      amountMinor: amount.minor,
      currency,
      use,
    },
  };
}

/**
 * Reads the receiver of a link: one e-mail address or phone number; null when it is invalid. A
 * phone number needs its country code, and is sent as digits only.
 */
export function readReceiver(
  way: unknown,
  typed: unknown,
): { emails: string[] } | { phones: string[] } | null {
  const text = one.parse(typed);
  if (way === 'email')
    return z.email().max(254).safeParse(text).success ? { emails: [text] } : null;
  const digits = text.replace(/^\+|[\s()-]/g, '');
  return way === 'phone' && /^[1-9]\d{9,14}$/.test(digits) ? { phones: [digits] } : null;
}

export type PanelLinkQuery = {
  which: (typeof PANEL_LINK_LISTS)[number];
  page: number;
  open: string | null;
};

const PAGES_MAX = 1_000;
const address = z.object({
  which: z.enum(PANEL_LINK_LISTS).catch('active'),
  page: z.coerce.number().int().min(1).max(PAGES_MAX).catch(1),
  link: z
    .string()
    .regex(/^[1-9]\d{0,18}$/)
    .nullable()
    .catch(null),
});

export function readPanelLinkQuery(
  params: Record<string, string | string[] | undefined>,
): PanelLinkQuery {
  const { which, page, link } = address.parse(params);
  return { which, page, open: link };
}
