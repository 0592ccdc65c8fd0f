import { entryLevel } from '#lib/providers/wallet/entry-level.ts';
import type { Page, Reply } from '#lib/providers/outcome.ts';
import type {
  PageAsked,
  Transaction,
  Withdrawal,
  WithdrawalLevel,
} from '#lib/providers/wallet/types.ts';

/**
 * A provider in this process that behaves like the real one: both ends of a range are inclusive,
 * and pages are smaller than requested.
 */

export type Line = {
  id: string;
  at: number;
  amount?: bigint;
  statusId?: number;
  level?: WithdrawalLevel;
  description?: string;
};
type Range = { from: string; to: string };

export type Listing = {
  lines: Line[];
  asked: (Range & { index: number })[];
  /** Called before a page is returned; its result, if any, replaces the page. */
  before: (index: number) => Reply<never> | undefined | Promise<Reply<never> | undefined>;
  listTransactions(range: Range, page: PageAsked): Promise<Reply<Page<Transaction>>>;
  listWithdrawals(range: Range, page: PageAsked): Promise<Reply<Page<Withdrawal>>>;
};

export function listing(pageMax: number): Listing {
  const made: Listing = {
    lines: [],
    asked: [],
    before: () => undefined,
    listTransactions: (range, page) => answer(range, page, ledgerLine),
    listWithdrawals: (range, page) => answer(range, page, request),
  };
  async function answer<Row>(
    range: Range,
    page: PageAsked,
    toRow: (line: Line) => Row,
  ): Promise<Reply<Page<Row>>> {
    made.asked.push({ ...range, index: page.index });
    const instead = await made.before(page.index);
    if (instead !== undefined) return instead;
    const size = Math.min(page.size, pageMax);
    const found = made.lines
      .filter(({ at }) => at >= Date.parse(range.from) && at <= Date.parse(range.to))
      .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    const rows = found.slice(page.index * size, (page.index + 1) * size).map(toRow);
    return {
      kind: 'answered',
      value: {
        rows,
        index: page.index,
        size,
        pageCount: Math.ceil(found.length / size),
        rowCount: found.length,
      },
    };
  }
  return made;
}

export function ledgerLine({
  id,
  at,
  amount = 10_000n,
  statusId = 20,
  description = 'Fatura',
}: Line): Transaction {
  return {
    transactionId: id,
    statusId,
    level: entryLevel(statusId),
    typeId: 2002,
    amountMinor: amount,
    feeMinor: 640n,
    currency: 'TRY',
    extId: `EXT${id}`,
    refersTo: null,
    direction: 'out',
    completedAt: new Date(at).toISOString(),
    groupId: null,
    type: 'SendMoneyToBankAccount',
    status: 'NormalCompleted',
    resultCode: 'Success',
    totalMinor: amount + 640n,
    receivedMinor: null,
    receiverFeeMinor: null,
    createdAt: new Date(at).toISOString(),
    updatedAt: null,
    posted: true,
    postedAt: new Date(at).toISOString(),
    walletId: null,
    toWalletId: null,
    fromWallet: '4410270001',
    toWallet: null,
    fromAccount: null,
    toAccount: null,
    description,
    fromDescription: description,
    toDescription: null,
    receiptNumber: null,
    channel: null,
    source: null,
    topUp: null,
    raw: { id, statusId, description },
  };
}

export function request({ id, at, amount = 10_000n, level = 'pending' }: Line): Withdrawal {
  return {
    requestId: id,
    extId: `EXT${id}`,
    correlationId: null,
    walletId: null,
    wallet: '4410270001',
    accountType: '2',
    accountNumber: null,
    level,
    amountMinor: amount,
    currency: 'TRY',
    iban: 'TR330006100519786457841326',
    name: 'Işık Düğme',
    taxNumber: '1234567890',
    toOwner: false,
    bankId: null,
    bankName: null,
    bankAccount: null,
    swift: null,
    branch: null,
    description: null,
    reason: null,
    createdAt: new Date(at).toISOString(),
    updatedAt: null,
    raw: { id, level },
  };
}
