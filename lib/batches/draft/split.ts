import 'server-only';
import { randomUUID } from 'node:crypto';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Locale } from '#lib/values/locale.ts';
import { storeState } from './change.ts';
import type { Changed, OfDraft } from './change.ts';
import { hasProblem } from './check-rows.ts';
import { readDraft } from './read.ts';
import { lockDraft, stateOf, tableOf } from './row.ts';

/**
 * Makes a draft of its own of the rows that have problems now.
 *
 * @throws Refusal as `splitDraft`, `readDraft`
 */
export async function splitProblems(
  actor: Person,
  of: OfDraft,
  locale: Locale,
): Promise<Changed & { id: string }> {
  const { rows } = await readDraft(actor, of.id, locale);
  const keys = rows.filter(hasProblem).map(({ key }) => key);
  return splitDraft(actor, of, keys);
}

/**
 * Makes a draft of its own of some rows, usually those with problems, so that the others need not
 * wait. The rows leave this draft for good and are in the new one alone; what was typed goes along.
 *
 * @throws Refusal `not_allowed`, `batch_nothing_to_split`, as `lockDraft`
 */
export async function splitDraft(
  actor: Person,
  of: OfDraft,
  rows: readonly string[],
): Promise<Changed & { id: string }> {
  assertMay(actor, 'payout.prepare');
  return inTransaction(actor.merchantId, async (tx) => {
    const row = await lockDraft(tx, actor, of);
    const here = tableOf(row).rows;
    const wanted = new Set(rows);
    const split = here.filter(({ key }) => wanted.has(key)).map(({ key }) => key);
    if (split.length === 0 || split.length === here.length)
      throw new Refusal('batch_nothing_to_split');
    const state = stateOf(row);
    const { only: _only, without: _without, ...table } = state.choices;
    const id = randomUUID();
    const leftOut = state.leftOut.filter((key) => wanted.has(key));
    await tx.$executeRaw`
      INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
        file_hash, source, choices, columns, defaults, edits, left_out, ticked, from_id, parent_id)
      SELECT ${id}::uuid, merchant_id, maker_id, wallet, currency, name, format, shape, file_hash,
        source, ${JSON.stringify({ ...table, only: split })}::jsonb, columns, defaults, edits,
        ${JSON.stringify(leftOut)}::jsonb, ticked, from_id, id
      FROM batches WHERE id = ${row.id}::uuid`;
    const without = [...(state.choices.without ?? []), ...split];
    const version = await storeState(tx, row, {
      ...state,
      choices: { ...state.choices, without },
      leftOut: state.leftOut.filter((key) => !wanted.has(key)),
    });
    await audit(tx, actor, 'batch.split', `batch:${row.id}`, { to: id, rows: split.length });
    return { id, version };
  });
}
