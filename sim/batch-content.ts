import { contentText } from '#lib/movements/content-text.ts';
import type { MovementContent } from '#lib/movements/content-text.ts';
import { contentOfRow, personOf, rowKindOf } from '#lib/batches/row-content.ts';
import type { RowContent } from '#lib/batches/row-content.ts';
import { signedText } from '#lib/step-up/proof.ts';
import type { BatchRow } from './batches.ts';
import type { Row } from './store.ts';

/** The wallet that pays the rows of every file, and its currency. */
export const PAYS_FROM = { wallet: '1000000001', currency: 'TRY' } as const;

/** A row as lib/batches/stored-row.ts reads it from its columns. */
export function paidOf({ content }: Pick<BatchRow, 'content'>): RowContent {
  const { iban, name, taxNumber, amountMinor, paymentType, description } = content;
  return {
    ...{ iban, name, taxNumber, paymentType, description },
    amountMinor: amountMinor as RowContent['amountMinor'],
    ...personOf({
      to_wallet: content.toWallet,
      found_by: content.foundBy,
      found_name: content.foundName,
    }),
  };
}

/** What a person would sign of a row alone; the file is signed over those of all rows. */
export function leafOf(row: Pick<BatchRow, 'content' | 'extId'>): string {
  const paid = paidOf(row);
  const kind = rowKindOf(paid);
  const content = contentOfRow(PAYS_FROM, paid);
  return signedText({
    ...{ kind, contentHash: contentText(kind, content), extId: row.extId },
    ...{ amountMinor: content.amountMinor, currency: content.currency },
  });
}

/** The account or wallet that a row pays. */
export function payeeIn({ toWallet, iban }: MovementContent): string {
  return toWallet ?? iban;
}

/** A row of a file as if it were a movement, for what reads movements only. */
export function asMovement(
  { id, extId, need, content }: Pick<BatchRow, 'id' | 'extId' | 'need' | 'content'>,
  makerId: string,
  now: number,
): Row {
  const kind = content.toWallet === null ? 'payout' : 'transfer_person';
  const movement: Partial<Row> = {
    ...content,
    ...{ id, extId, need, kind, makerId, createdAt: now },
    ...{ state: 'DRAFT', returned: 'NONE', card: null, phone: null, retryOf: null },
  };
  return movement as Row;
}
