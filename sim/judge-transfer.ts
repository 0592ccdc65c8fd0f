import type { TransferKindName } from '#lib/movements/kinds.ts';
import { SAYS_UNPAID } from '#lib/movements/state.ts';
import { locksSibling } from '#lib/payment-checks/history.ts';
import type { PersonFound } from '#lib/transfers/person.ts';
import { checkTransfer } from '#lib/transfers/rules.ts';
import type { Form } from './desk.ts';
import { foreignOf, mayHaveLeft } from './recovery-table.ts';
import type { Row, Tx } from './store.ts';

const FACTS_MAX = 200;

/**
 * Judges a transfer, by a form or by a row of a file. Every receiver of a form is found, because the
 * names of this world equal their masked form; whom a row pays was looked up before.
 */
export function judgeTransfer(
  tx: Tx,
  { id, content, besides, person }: Pick<Form, 'id' | 'content' | 'besides' | 'person'>,
  kind: TransferKindName,
): ReturnType<typeof checkTransfer> {
  const { toWallet, name, amountMinor, paymentType, description } = content;
  const found: PersonFound = person ?? { kind: 'found', wallet: toWallet ?? '', name };
  const paid = { payee: toWallet ?? '', amountMinor };
  const same = (row: Row): boolean => row.toWallet === toWallet || row.name === name;
  const recent = tx
    .rows()
    .filter((row) => row.id !== id && row.toWallet !== null && same(row))
    .map((row) => ({ ...row, toWallet: row.toWallet ?? '' }))
    .filter(
      (row) => besides?.has(row.id) !== true || locksSibling({ ...row, payee: row.toWallet }, paid),
    )
    .slice(-FACTS_MAX)
    .map((row) => ({
      ...row,
      createdAt: new Date(row.createdAt).toISOString(),
      maker: row.makerId,
      reasonText: null,
      mayHaveLeft: SAYS_UNPAID.includes(row.state) && mayHaveLeft(tx.recovery, row),
    }));
  return checkTransfer({
    content: {
      id,
      kind,
      wallet: content.wallet,
      key: null,
      toWallet: toWallet ?? '',
      name,
      amountMinor: amountMinor as never,
      paymentType,
      description,
    },
    writtenCurrency: null,
    wallet: {
      available: 100_000_000_000n,
      currency: 'TRY',
      accessLevel: 'active',
      limits: { withdrawal: null },
    },
    receiver: { access: 'active', currency: 'TRY' },
    person: found,
    paymentType: { code: '01', minDescription: 3 },
    recent,
    saved: null,
    foreign: foreignOf(tx.recovery, toWallet ?? '').map((one) => ({
      ...one,
      toWallet: toWallet ?? '',
    })),
    fee: null,
    now: new Date(tx.now).toISOString(),
  });
}
