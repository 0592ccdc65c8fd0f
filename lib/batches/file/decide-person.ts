import { readPhone, TURKEY } from '#lib/form-fields/phone.ts';
import { readAccount } from '#lib/transfers/person.ts';
import { keyText } from '#lib/values/person-key.ts';
import { emptyCell, failedCell, valueCell } from './cell.ts';
import type { Cell } from './cell.ts';
import { onlyOne } from './conventions.ts';
import { SHORTENED } from './decide-amount.ts';
import type { SourceCell } from './source.ts';

/**
 * Decides the cells that name a person whose wallet is paid: by a Turkish phone number, or by the
 * number of the person's own account. Pure.
 */

/** What the numbers of a column are where a number alone can be both; null when nothing proves it. */
export type PersonConvention = 'phone' | 'account' | null;

/** 'tel 533 000 02 01', 'hesap no: 5510000001': a word says what the number behind it is. */
const NAMED =
  /^\s*(?:(tel|telefon|gsm|cep|phone|mobile)|(?:hesap|cüzdan|account|wallet))(?:\s+no)?\s*[:.]?\s*(?=[+(\d])/iu;
/** '+90 …', '0090 …', '0533 …', '(533) …', '533 000 02 01': written as nobody writes an account. */
const WRITTEN_AS_PHONE =
  /^\s*(?:\+|00|0\d{10}|0\d{3}[\s.-]|0[\s(]|\()|^\s*\d{3}[ .-]\d{3}[ .-]\d{2}[ .-]\d{2}\s*$/;
const ONLY_DIGITS = /^[\d\s]+$/;

/** `phone`, `account`: the number read so, as `keyText` writes it; null where it cannot be one. */
type Readings = { phone: string | null; account: string | null };

export function decidePerson({ text }: SourceCell, convention: PersonConvention): Cell {
  if (text.trim() === '') return emptyCell(text);
  if (SHORTENED.test(text)) return failedCell(text, 'phone_digits_lost');
  const { phone, account } = readingsOf(text);
  if (phone === null || account === null) return ofOne(text, phone ?? account);
  if (convention === null)
    return { state: 'ask', source: text, why: 'person_ambiguous', choices: [phone, account] };
  const proven = convention === 'phone' ? phone : account;
  return valueCell(text, proven, [{ reason: 'column_convention', from: text, to: proven }]);
}

/** What a person typed, or the text of the file without a repair: only what has one reading. */
export function typedPerson(text: string): Cell {
  const cell = decidePerson({ kind: 'text', text }, null);
  return cell.state === 'ask' ? failedCell(text, 'person_unclear') : cell;
}

/** What the column proves: a number that can only be a phone number, or only an account. */
export function personConvention(cells: readonly SourceCell[]): PersonConvention {
  return onlyOne(
    cells.map(({ kind, text }): PersonConvention => {
      if (kind === 'empty' || SHORTENED.test(text)) return null;
      const { phone, account } = readingsOf(text);
      if ((phone === null) === (account === null)) return null;
      return phone === null ? 'account' : 'phone';
    }),
  );
}

function ofOne(text: string, key: string | null): Cell {
  return key === null ? failedCell(text, 'person_unclear') : valueCell(text, key, []);
}

function readingsOf(text: string): Readings {
  const named = NAMED.exec(text);
  const number = named === null ? text : text.slice(named[0].length);
  const phone = phoneOf(number);
  const account = accountOf(number);
  // What begins with a zero and is too short for a phone number may have lost its end.
  if (named === null && /^\s*0/.test(text)) return { phone, account: null };
  if (named !== null)
    return named[1] === undefined ? { phone: null, account } : { phone, account: null };
  return WRITTEN_AS_PHONE.test(text) ? { phone, account: null } : { phone, account };
}

function phoneOf(text: string): string | null {
  const read = readPhone(TURKEY, text);
  return 'error' in read ? null : keyText({ by: 'phone', ...read });
}

function accountOf(text: string): string | null {
  if (!ONLY_DIGITS.test(text)) return null;
  const read = readAccount(text);
  return 'error' in read ? null : keyText({ by: 'account', ...read });
}
