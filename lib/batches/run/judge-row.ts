import 'server-only';
import type { RefusalCode } from '#lib/access/refusal.ts';
import type { MovementContent } from '#lib/movements/content-text.ts';
import type { Verdict } from '#lib/movements/submit.ts';
import { readRecipientFacts } from '#lib/payouts/facts.ts';
import { judgePayout } from '#lib/payouts/judge.ts';
import { withoutSiblings } from '#lib/payment-checks/siblings.ts';
import { blocking, needsReason } from '#lib/payouts/rules.ts';
import type { Finding } from '#lib/payouts/rules.ts';
import type { PaymentType } from '#lib/providers/wallet/types.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { readPayeeFacts } from '#lib/transfers/facts.ts';
import { judgeTransferForm } from '#lib/transfers/judge.ts';
import type { TransferFinding } from '#lib/transfers/rules.ts';
import { readKeyText } from '#lib/values/person-key.ts';
import type { People } from '../draft/complete-row.ts';
import type { DraftBalance } from '../draft/row-facts.ts';
import { BANK_ROW, PERSON_ROW, rowKindOf } from '../row-content.ts';
import type { RowKind } from '../row-content.ts';
import type { StoredRow } from '../stored-row.ts';
import { isPersonAsApproved } from './person-rules.ts';

/** Judges one row of a running batch by the facts of now, with the rules of its kind's form. */

/** What the provider says now; no transaction is open meanwhile. */
export type Asked = {
  balance: DraftBalance & { availableMinor: bigint };
  types: readonly PaymentType[];
  people: People;
};

export type RowVerdict =
  | { kind: 'new'; content: MovementContent }
  | { kind: 'refused'; code: string; params: object };

type Of = { wallet: string };
type Judge = (
  tx: Tx,
  of: Of,
  row: StoredRow,
  asked: Asked,
) => Promise<Verdict<Finding | TransferFinding>>;

const JUDGES: Readonly<Record<RowKind, Judge>> = {
  [BANK_ROW]: judgeBankRow,
  [PERSON_ROW]: judgePersonRow,
};

export async function judgeRow(tx: Tx, of: Of, row: StoredRow, asked: Asked): Promise<RowVerdict> {
  const verdict = await JUDGES[rowKindOf(row)](tx, of, row, asked);
  switch (verdict.kind) {
    case 'refused':
      return refusedBy(verdict.code, verdict.params);
    case 'findings': {
      const [first] = blocking(verdict.findings);
      const code = first?.code ?? needsReason(verdict.findings, row.overrides)[0];
      const found = verdict.findings.find((one) => one.code === code);
      return refusedBy(code ?? 'approval_unread', found?.params);
    }
    case 'earlier':
      throw new Error('a row of a batch was judged as a form that was submitted before');
    case 'new':
      return isPersonAsApproved(row, verdict.content.foundName)
        ? verdict
        : refusedBy('person_changed');
  }
}

export function refusedBy(
  code: RefusalCode | (Finding | TransferFinding)['code'] | 'parent_other_kind',
  params: object = {},
): Extract<RowVerdict, { kind: 'refused' }> {
  return { kind: 'refused', code, params };
}

async function judgeBankRow(
  tx: Tx,
  { wallet }: Of,
  row: StoredRow,
  { balance, types }: Asked,
): Promise<Verdict<Finding>> {
  const { movementId: id, overrides, overrideReason, ...content } = row;
  const { iban, name, taxNumber, amountMinor } = row;
  const recipient = await readRecipientFacts(tx, { iban, name, taxNumber, wallet });
  const paid = { id, payee: iban, amountMinor };
  const recent = await withoutSiblings(tx, paid, recipient.recent, (one) => one.iban);
  return judgePayout(
    {
      content: { ...content, id, source: { kind: 'wallet', number: wallet } },
      writtenCurrency: null,
      overrides,
      overrideReason,
    },
    { balance, types, earlier: null, recipient: { ...recipient, recent } },
  );
}

async function judgePersonRow(
  tx: Tx,
  { wallet }: Of,
  row: StoredRow,
  { balance, types, people }: Asked,
): Promise<Verdict<TransferFinding>> {
  const { movementId: id, overrides, overrideReason, name, person } = row;
  if (person === undefined) throw new Error('a row without a person was judged as one');
  const { toWallet, foundBy } = person;
  const { amountMinor, paymentType, description } = row;
  const payee = await readPayeeFacts(tx, { kind: PERSON_ROW, toWallet, name, wallet });
  const paid = { id, payee: toWallet, amountMinor };
  const recent = await withoutSiblings(tx, paid, payee.recent, (one) => one.toWallet);
  const typed = { name, toWallet, amountMinor, paymentType, description };
  return judgeTransferForm(
    {
      content: { id, kind: PERSON_ROW, wallet, key: readKeyText(foundBy), ...typed },
      writtenCurrency: null,
      overrides,
      overrideReason,
    },
    {
      wallet: balance,
      receiver: null,
      person: people.get(foundBy) ?? null,
      types,
      earlier: null,
      payee: { ...payee, recent },
    },
  );
}
