import 'server-only';
import { readFactsOfMany } from '#lib/payouts/facts-of-many.ts';
import { factsOf } from '#lib/payouts/judge.ts';
import type { Balance } from '#lib/payouts/judge.ts';
import type { FeeEstimate, PayoutFacts } from '#lib/payouts/rules.ts';
import type { PaymentType } from '#lib/providers/wallet/types.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { readTransferFactsOfMany } from '#lib/transfers/facts-of-many.ts';
import type { FactsOfWallet } from '#lib/transfers/facts-of-many.ts';
import { transferFactsOf } from '#lib/transfers/judge.ts';
import type { TransferBalance } from '#lib/transfers/judge.ts';
import type { TransferFacts } from '#lib/transfers/rules.ts';
import type { TransferTyped } from '#lib/transfers/schema.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { readKeyText } from '#lib/values/person-key.ts';
import { BANK_ROW, PERSON_ROW } from '../row-content.ts';
import type { RowContent, RowKind } from '../row-content.ts';
import { contentOf } from './check-rows.ts';
import type { DraftFacts, JudgedRow } from './check-rows.ts';
import { completeRow, registerOf } from './complete-row.ts';
import type { CompletedRow, People, Register } from './complete-row.ts';
import type { DraftRow } from './draft-table.ts';
import type { BatchRow } from './row.ts';

/** The wallet that pays, with the limits of both kinds of rows. */
export type DraftBalance = Balance & { limits: TransferBalance['limits'] };

/**
 * What only the provider knows. `types`: empty when they could not be queried. `people`: those whom
 * rows name and who were looked up.
 */
export type FromProvider = {
  balance: DraftBalance | null;
  types: readonly PaymentType[];
  people?: People;
};

/** Facts of all rows. `fees`: of each kind of movement; null while none is known. */
export type RowFacts = {
  facts: DraftFacts;
  fees: Readonly<Record<RowKind, FeeEstimate | null>>;
  at: string;
};

/** Everything that the rules need of all rows, in a fixed number of statements. */
export async function readRowFacts(
  tx: Tx,
  batch: BatchRow,
  rows: readonly DraftRow[],
  from: FromProvider,
): Promise<RowFacts> {
  const { types, people = new Map() } = from;
  const register = await readRegister(tx, rows);
  const known = {
    register,
    types: types.length === 0 ? null : types,
    defaults: batch.defaults,
    people,
  };
  const completed = rows.map((row) => completeRow(row, known));
  const ofBank = await bankFacts(tx, batch, completed, from);
  const ofPeople = await personFacts(tx, batch, completed, from);
  return {
    fees: { [BANK_ROW]: ofBank.fee, [PERSON_ROW]: ofPeople.fee },
    at: ofBank.at,
    facts: { ...known, factsOf: ofBank.factsOf, transferFactsOf: ofPeople.factsOf },
  };
}

type OfKind<Facts> = { fee: FeeEstimate | null; at: string; factsOf: (row: JudgedRow) => Facts };

async function bankFacts(
  tx: Tx,
  { wallet }: Pick<BatchRow, 'wallet'>,
  rows: readonly CompletedRow[],
  { balance, types }: FromProvider,
): Promise<OfKind<PayoutFacts>> {
  const payeeOf = ({ content }: Pick<JudgedRow, 'content'>) => {
    const { iban = null, name = null, taxNumber = null } = content;
    return { iban, name, taxNumber };
  };
  const factsOfPayee = await readFactsOfMany(
    tx,
    rows.filter(({ found }) => found === null).map(payeeOf),
    wallet,
  );
  const { fee, at } = factsOfPayee({ iban: null, name: null, taxNumber: null });
  const typeOf = new Map(types.map((type) => [type.code, type]));
  return {
    fee,
    at,
    factsOf: ({ content, writtenCurrency, ...row }) =>
      factsOf(
        { content: contentOf(content, wallet), writtenCurrency },
        {
          balance,
          type: typeOf.get(content.paymentType ?? '') ?? null,
          recipient: factsOfPayee(payeeOf({ content, ...row })),
        },
      ),
  };
}

async function personFacts(
  tx: Tx,
  { wallet }: Pick<BatchRow, 'wallet'>,
  rows: readonly CompletedRow[],
  { balance, types }: FromProvider,
): Promise<OfKind<TransferFacts>> {
  const payeeOf = ({ found, content }: Pick<JudgedRow, 'found' | 'content'>) => ({
    toWallet: found?.kind === 'found' ? found.wallet : null,
    name: content.name ?? null,
  });
  const people = rows.filter(({ found }) => found !== null);
  const factsOfWallet =
    people.length === 0
      ? NO_TRANSFERS
      : await readTransferFactsOfMany(tx, people.map(payeeOf), { kind: PERSON_ROW, wallet });
  const { fee, at } = factsOfWallet({ toWallet: null, name: null });
  const typeOf = new Map(types.map((type) => [type.code, type]));
  return {
    fee,
    at,
    factsOf: ({ content, writtenCurrency, found }) =>
      transferFactsOf(
        { content: transferContent(content, wallet), writtenCurrency },
        {
          wallet: balance,
          receiver: null,
          person: found,
          type: typeOf.get(content.paymentType ?? '') ?? null,
          payee: factsOfWallet(payeeOf({ found, content })),
        },
      ),
  };
}

/** Most files have no row that pays a person; then nothing is read about such rows. */
const NO_TRANSFERS: FactsOfWallet = () => ({
  recent: [],
  saved: null,
  foreign: [],
  fee: null,
  at: '',
});

/** The rules' content of a row that pays a person, as the form for one transfer has it. */
function transferContent(
  { person, name, amountMinor, paymentType, description }: Partial<RowContent>,
  wallet: string,
): Partial<TransferTyped> {
  return {
    kind: PERSON_ROW,
    wallet,
    ...(person !== undefined && { toWallet: person.toWallet, key: readKeyText(person.foundBy) }),
    ...(name !== undefined && { name }),
    ...(amountMinor !== undefined && { amountMinor }),
    ...(paymentType !== undefined && { paymentType }),
    ...(description !== undefined && { description }),
  };
}

/** The saved recipients whose names or nicknames stand in the rows, with the accounts to pay. */
async function readRegister(tx: Tx, rows: readonly DraftRow[]): Promise<Register> {
  const names = new Set(
    rows.flatMap(({ cells: { recipient } }) =>
      recipient.state === 'look_up' ? foldForSearch(recipient.text) : [],
    ),
  );
  if (names.size === 0) return new Map();
  const found = await tx.$queryRaw<
    (Row<'recipients', 'id' | 'name' | 'nickname' | 'tax_number'> & { ibans: string[] })[]
  >`
    SELECT r.id, r.name, r.nickname, r.tax_number, array_agg(p.number ORDER BY p.created_at DESC) AS ibans
    FROM recipients r JOIN recipient_payees p ON p.recipient_id = r.id
    WHERE (r.name_fold = ANY(${[...names]}::text[]) OR r.nickname_fold = ANY(${[...names]}::text[]))
      AND r.archived_at IS NULL AND p.archived_at IS NULL AND p.number LIKE 'TR%'
    GROUP BY r.id ORDER BY r.id`;
  return registerOf(
    found.map(({ name, nickname, tax_number: taxNumber, ibans }) => ({
      name,
      nickname,
      taxNumber,
      ibans,
    })),
  );
}
