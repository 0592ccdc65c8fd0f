import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { publish, wakeWorkers } from '#lib/live/publish.ts';
import { cardClient } from '#lib/providers/card/configured-client.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { linkOf } from './content.ts';
import { factsOf, findCharge, isOpen } from './row.ts';
import { RETURN_PATH } from './take.ts';

/**
 * Asks the gateway for the page on which the customer pays. It moves no money, and a second request
 * for the same invoice makes no second order (`exists`), so a person may ask again after a lost
 * response. The response is stored with the payment.
 *
 * @throws Refusal not_allowed, not_found, link_closed
 */
export async function askForLink(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'card.charge');
  const raw = await inTransaction(actor.merchantId, (tx) => findCharge(tx, id));
  if (raw?.kind !== 'link') throw new Refusal('not_found');
  if (raw.link !== null || !isOpen(raw)) throw new Refusal('link_closed');
  const back = `${env().appOrigin}${RETURN_PATH}`;
  const response = await cardClient().makeLink(
    linkOf(factsOf(raw, null), { returnUrl: back, cancelUrl: back }),
  );
  const link = response.kind === 'done' ? response.value.address : null;
  const code = 'code' in response ? (response.code ?? null) : null;
  await inTransaction(actor.merchantId, async (tx) => {
    await tx.$executeRaw`UPDATE card_payments SET link = coalesce(link, ${link}),
      next_at = clock_timestamp(), tries = 0 WHERE id = ${id}::uuid`;
    await tx.$executeRaw`
      INSERT INTO card_observations (merchant_id, payment_id, source, kind, detail)
      VALUES (${actor.merchantId}::uuid, ${id}::uuid, 'answer', ${`link_${response.kind}`},
        ${JSON.stringify({ code, why: response.kind === 'no_answer' ? response.why : null })}::jsonb)`;
    await audit(tx, actor, 'card.link_made', `card:${id}`, {
      invoice: raw.invoice_id,
      answer: response.kind,
      code,
    });
    await wakeWorkers(tx);
    await publish(tx, actor, { kind: 'card', id });
  });
}
