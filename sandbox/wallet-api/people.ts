import { CLOSED, personOf } from '../accounts.ts';
import type { Account } from '../accounts.ts';
import { masked } from '../bank/notice.ts';
import { walletsOf } from '../books.ts';
import type { World } from '../world.ts';
import { invalid, refusal, success } from './answer.ts';
import type { Answer } from './answer.ts';
import { bind, mustNotBeEmpty } from './fields.ts';
import type { Shape, Values } from './fields.ts';

/**
 * CheckPersonalWallet: returns the number of a person's wallet in a currency. The person is named
 * by phone (contract) or by account number (published); a body with an account number is read as
 * the second form.
 */

const SHAPE: Shape = {
  phone_country_number: { kind: 'string' },
  phone_number: { kind: 'string' },
  account_number: { kind: 'string' },
  currency_code: { kind: 'string', required: true },
};
const PHONE_FORM = ['phone_country_number', 'phone_number'] as const;

const textOf = (values: Values, name: string): string => (values.text(name) ?? '').trim();
/** Removes the signs of a phone number: "+90 532 000" and "90532000" are the same number. */
const digits = (value: string): string => value.replace(/[\s()+-]/g, '');

function find(world: World, values: Values): Account | null {
  const number = textOf(values, 'account_number');
  if (number !== '') return personOf(world, { number });
  return personOf(world, {
    country: digits(textOf(values, 'phone_country_number')),
    phone: digits(textOf(values, 'phone_number')),
  });
}

export function checkPersonalWallet(world: World, body: string): Answer {
  const bound = bind(body, SHAPE);
  if (!bound.ok) return bound.answer;
  const missing =
    textOf(bound.values, 'account_number') === ''
      ? PHONE_FORM.filter((name) => textOf(bound.values, name) === '')
      : [];
  if (missing.length > 0) return invalid(missing.map(mustNotBeEmpty));
  const currency = textOf(bound.values, 'currency_code');
  const person = find(world, bound.values);
  const wallet =
    person &&
    walletsOf(world, person.id).find((one) => one.currency === currency && one.access !== CLOSED);
  if (person && wallet)
    return success({
      exist: true,
      wallet_number: wallet.number,
      first_name: masked(person.firstName),
      last_name: masked(person.lastName),
      currency_code: currency,
    });
  const unknown = world.questions.unknown_person_answer;
  return unknown === 'exist_false'
    ? success({
        exist: false,
        wallet_number: null,
        first_name: null,
        last_name: null,
        currency_code: currency,
      })
    : refusal(unknown);
}
