/**
 * The receiver of a transfer to a person: how to find them, and whether the provider's masked name
 * matches. Pure.
 */

/**
 * What the provider finds a person by: a phone number or a personal account number. Digits only.
 */
export type PersonKey =
  | { by: 'phone'; country: string; phone: string }
  | { by: 'account'; account: string };

/** The stored form: 'phone:90:5330000201', 'account:5510000001'. */
export function keyText(key: PersonKey): string {
  return key.by === 'phone' ? `phone:${key.country}:${key.phone}` : `account:${key.account}`;
}

export function readKeyText(text: string | null): PersonKey | null {
  const [by, first = '', second = ''] = text?.split(':') ?? [];
  if (by === 'phone') return { by, country: first, phone: second };
  return by === 'account' ? { by, account: first } : null;
}

/**
 * The key as screens show it: "+90 533 000 02 01". Only its last two digits for people who may not
 * see it whole.
 */
export function shownKey(key: PersonKey, whole = true): string {
  if (key.by === 'account') return whole ? key.account : `…${key.account.slice(-2)}`;
  if (!whole) return `+${key.country} … ${key.phone.slice(-2)}`;
  return `+${key.country} ${key.phone.replace(/^(\d{3})(\d{3})(\d{2})(\d{2})$/, '$1 $2 $3 $4')}`;
}
