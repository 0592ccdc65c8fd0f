import 'server-only';
import * as z from 'zod';
import type { Reply } from '../outcome.ts';
import { hasCode } from './management-call.ts';
import { LIST_MAX_BYTES } from './connection.ts';
import type { Line } from './connection.ts';
import { readReply } from './reply.ts';
import { idOrNull, textOrNull } from './wire.ts';

/**
 * Parts of a commission as exact decimal text ("1.5000"): percentages, and fixed amounts with more
 * decimals than a minor unit. Null is "does not apply" (`-`, `published`) or unreadable.
 */
export type Commission = {
  installments: number;
  /** The gateway's text: regular, single payment, saved card, foreign card. */
  title: string | null;
  program: string | null;
  currency: string | null;
  /** False: the card program does not offer this number of installments (`x`, `published`). */
  enabled: boolean;
  merchantPercent: string | null;
  merchantFixed: string | null;
  userPercent: string | null;
  userFixed: string | null;
  posId: string | null;
  cardType: string | null;
  issuer: string | null;
};

const NOT_ENABLED = 'x';
const rate = textOrNull.transform((text) =>
  text !== null && (text.toLowerCase() === NOT_ENABLED || /^\d{1,9}(?:\.\d{1,9})?$/.test(text))
    ? text.toLowerCase()
    : null,
);
const shown = (text: string | null): string | null => (text === NOT_ENABLED ? null : text);

const commissionRow = z.object({
  title: textOrNull,
  card_program: textOrNull,
  getpos_card_program: textOrNull,
  merchant_commission_percentage: rate,
  merchant_commission_fixed: rate,
  user_commission_percentage: rate,
  user_commission_fixed: rate,
  currency_code: textOrNull,
  pos_id: idOrNull,
  card_type: textOrNull,
  issuer_name: textOrNull,
});

/** Rows by their number of installments as text (`published`). */
const commissionTable = z
  .object({ data: z.record(z.string().regex(/^[1-9]\d{0,2}$/), z.array(commissionRow)) })
  .transform(({ data }): Commission[] =>
    Object.entries(data).flatMap(([count, rows]) =>
      rows.map((row) => commission(Number(count), row)),
    ),
  );

function commission(count: number, row: z.output<typeof commissionRow>): Commission {
  const rates = [
    row.merchant_commission_percentage,
    row.merchant_commission_fixed,
    row.user_commission_percentage,
    row.user_commission_fixed,
  ];
  return {
    installments: count,
    title: row.title,
    program: row.card_program ?? row.getpos_card_program,
    currency: row.currency_code,
    enabled: !rates.includes(NOT_ENABLED),
    merchantPercent: shown(row.merchant_commission_percentage),
    merchantFixed: shown(row.merchant_commission_fixed),
    userPercent: shown(row.user_commission_percentage),
    userFixed: shown(row.user_commission_fixed),
    posId: row.pos_id,
    cardType: row.card_type,
    issuer: row.issuer_name,
  };
}

/**
 * The gateway's commissions on payments (`published`: POST commissions; the token names the
 * merchant). Empty when none is set.
 */
export async function listCommissions(
  line: Line,
  question: { currency: string; commissionBy?: 'merchant' | 'user' },
): Promise<Reply<Commission[]>> {
  const fields = { currency_code: question.currency, commission_by: question.commissionBy };
  const exchange = await line.ask({
    path: '/ccpayment/api/commissions',
    fields,
    answerMaxBytes: LIST_MAX_BYTES,
  });
  const reply = readReply(exchange, commissionTable, line.codes);
  if (hasCode(reply, line.codes.errands.noCommissions)) return { kind: 'answered', value: [] };
  const isForeign = (row: Commission): boolean =>
    row.currency !== null && row.currency !== question.currency;
  return reply.kind === 'answered' && reply.value.some(isForeign)
    ? { kind: 'no_answer', why: 'mismatch' }
    : reply;
}
