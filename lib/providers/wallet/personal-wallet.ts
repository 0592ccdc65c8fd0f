import 'server-only';
import * as z from 'zod';
import { NOBODY_CODES } from './codes.ts';
import type { Line } from './connection.ts';
import { readReply } from './reply.ts';
import { currency, id, textOrNull } from './wire.ts';
import type { PersonalWalletAnswer, PersonalWalletQuestion } from './types.ts';

const no = z.union([z.literal(false), z.literal('false')]);
const yes = z.union([z.literal(true), z.literal('true')]);

/** A response without an explicit `exist` counts as no response. */
const check = z.union([
  z.object({ exist: no }).transform(() => null),
  z.object({
    exist: yes,
    wallet_number: id.refine((text) => text !== '0'),
    first_name: textOrNull,
    last_name: textOrNull,
    currency_code: currency,
  }),
]);

/**
 * CheckPersonalWallet: the owner of the wallet that a transfer to a person would go to. By phone
 * (`contract`) or by account number (`published`: account_number and currency_code). A wallet of
 * another currency than requested counts as no response.
 */
export async function findPersonalWallet(
  line: Line,
  question: PersonalWalletQuestion,
): Promise<PersonalWalletAnswer> {
  const reply = readReply(
    await line.ask({
      path: '/v1/Account/CheckPersonalWallet',
      body: JSON.stringify(fields(question)),
    }),
    check,
    NOBODY_CODES,
  );
  if (reply.kind === 'no_answer') return reply;
  if (reply.kind === 'not_found' || reply.value === null) return { kind: 'nobody' };
  const {
    wallet_number: wallet,
    first_name: firstName,
    last_name: lastName,
    currency_code: code,
  } = reply.value;
  if (code !== question.currency) return { kind: 'no_answer', why: 'mismatch' };
  return {
    kind: 'found',
    wallet,
    name: [firstName, lastName].filter((part) => part !== null).join(' ') || null,
    currency: code,
  };
}

function fields(question: PersonalWalletQuestion): Record<string, string> {
  return question.by === 'phone'
    ? {
        phone_country_number: question.country,
        phone_number: question.phone,
        currency_code: question.currency,
      }
    : { account_number: question.account, currency_code: question.currency };
}
