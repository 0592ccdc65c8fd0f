import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { linkStateOf } from '../payments/list.ts';
import type { PaymentProblem, PaymentState } from '../payments/payment.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import type { ChargeContent } from './content.ts';

/**
 * The maximum number of links here; older ones are in the register of card payments, which has
 * pages and filters.
 */
const ROWS_MAX = 50;

export type MadeLink = {
  id: string;
  buyer: string;
  description: string;
  amount: string;
  currency: string;
  state: PaymentState | null;
  problem: PaymentProblem | null;
  card: string | null;
  link: string | null;
  /** The link while it may be sent to the customer: it is known that nobody has paid with it. */
  toSend: string | null;
  madeAt: string;
};

/** The payment links made here, newest first. `more`: there are older ones. */
export async function listMadeLinks(
  actor: Person,
): Promise<{ links: MadeLink[]; more: boolean; now: string }> {
  assertMay(actor, 'card.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const rows = await tx.$queryRaw<
      Row<
        'card_payments',
        | 'id'
        | 'content'
        | 'amount_minor'
        | 'currency'
        | 'state'
        | 'problem'
        | 'card'
        | 'link'
        | 'first_seen_at',
        {
          content: ChargeContent;
          amount_minor: bigint;
          state: PaymentState | null;
          problem: PaymentProblem | null;
        }
      >[]
    >`
      SELECT id, content, amount_minor, currency, state, problem, card, link,
        first_seen_at FROM card_payments
        WHERE source = 'made_here' AND kind = 'link' ORDER BY first_seen_at DESC, id DESC
        LIMIT ${ROWS_MAX + 1}`;
    const links = rows
      .slice(0, ROWS_MAX)
      .map(
        ({
          id,
          content,
          amount_minor: minor,
          currency,
          state,
          problem,
          card,
          link,
          first_seen_at: at,
        }): MadeLink => ({
          id,
          buyer: `${content.buyer.name} ${content.buyer.surname}`,
          description: content.description,
          amount: toDecimal(minor),
          currency,
          state,
          problem,
          card,
          link,
          toSend: linkStateOf({ link, state, problem, card }) === 'unpaid' ? link : null,
          madeAt: at.toISOString(),
        }),
      );
    return { links, more: rows.length > ROWS_MAX, now: new Date().toISOString() };
  });
}
