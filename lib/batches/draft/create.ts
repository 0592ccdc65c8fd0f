import 'server-only';
import { createHash, randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { knownWallet } from '#lib/wallets/ask.ts';
import { WALLET_NUMBER } from '#lib/form-fields/money-form.ts';
import type { RememberedColumns } from '../file/mapping.ts';
import { shapeOf } from '../file/shape.ts';
import type { SourceFile } from '../file/source.ts';
import { findTable } from '../file/table.ts';
import type { Table } from '../file/table.ts';
import { openAside } from './open-aside.ts';
import type { ToOpen } from './open-aside.ts';
import type { ChosenColumns } from './stored.ts';

const NAME_MAX = 200;

/**
 * Opens a file or what was pasted and stores it as a draft. Nothing is sent by it.
 *
 * @throws Refusal `not_allowed`, `too_many`, `wallet_unverified`, `not_found`, `file_too_slow`, and
 *   those of `openFile` and `openPaste`
 */
export async function createDraft(
  actor: Person,
  given: ToOpen,
  wallet: string,
): Promise<{ id: string }> {
  assertMay(actor, 'payout.prepare');
  await countAttempt(actor, 'batch.create');
  const currency = await currencyOf(actor, wallet);
  const bytes = 'text' in given ? Buffer.from(given.text, 'utf8') : given.bytes;
  const hash = createHash('sha256').update(bytes).digest('hex');
  const name = 'text' in given ? '' : fileName(given.name);
  const { format, source } = await openAside(given);
  const table = findTable(JSON.parse(gunzipSync(source).toString('utf8')) as SourceFile);
  const shape = shapeOf(table);
  const id = randomUUID();
  await inTransaction(actor.merchantId, async (tx) => {
    const remembered = await rememberedColumns(tx, shape, table);
    await tx.$executeRaw`
      INSERT INTO batches (id, merchant_id, maker_id, wallet, currency, name, format, shape,
        file_hash, source, columns)
      VALUES (${id}::uuid, ${actor.merchantId}::uuid, ${actor.personId}::uuid, ${wallet},
        ${currency}, ${name}, ${format}, ${shape}, ${hash}, ${source},
        ${remembered === null ? null : JSON.stringify(remembered)}::jsonb)`;
    const detail = { format, fileHash: hash, rows: table.rows.length };
    await audit(tx, actor, 'batch.drafted', `batch:${id}`, detail, { file: name });
  });
  return { id };
}

/** The wallet's currency; the balance is read when the rows are checked. */
export async function currencyOf(actor: Person, wallet: string): Promise<string> {
  if (!WALLET_NUMBER.test(wallet)) throw new Refusal('not_found');
  const known = await knownWallet(actor, wallet);
  if (known === null) throw new Refusal('not_found');
  if (known.value === null) throw new Refusal('wallet_unverified');
  return known.value.currency;
}

/** The columns that a person chose for an earlier file of this shape; null without one. */
export async function rememberedColumns(
  tx: Tx,
  shape: string,
  { columns }: Table,
): Promise<ChosenColumns | null> {
  const [row] = await tx.$queryRaw<
    Row<'batch_columns', 'columns', { columns: RememberedColumns }>[]
  >`
    SELECT columns FROM batch_columns WHERE shape = ${shape}`;
  if (row === undefined) return null;
  const fields = Object.fromEntries(
    Object.entries(row.columns).filter(([, column]) => column in columns),
  );
  return { by: 'memory', fields };
}

/** The last part of a path, as some programs send one. */
function fileName(name: string): string {
  const last = storable(name).split(/[/\\]/).at(-1)?.trim() ?? '';
  return Array.from(last).slice(0, NAME_MAX).join('');
}
