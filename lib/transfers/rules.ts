import type {
  Finding,
  FindingCode,
  FindingLevel,
  FindingValue,
  PayoutFacts,
  WalletAccess,
  WalletFacts,
} from '#lib/payment-checks/findings.ts';
import type { OwnMovement } from '#lib/payment-checks/history.ts';
import { recipientFindings } from '#lib/payment-checks/recipient-rules.ts';
import { descriptionFindings, moneyFindings, walletFindings } from '#lib/payouts/rules.ts';
import type { TransferKindName } from '#lib/movements/kinds.ts';
import { mayPayFrom } from '#lib/wallets/may-pay-from.ts';
import { nameFit } from './person.ts';
import type { PersonFound } from './person.ts';
import type { TransferField, TransferTyped } from './schema.ts';

/**
 * The rules of transfers between wallets: facts → findings, for the form's summary and the
 * submitting verb. Wallet, money, texts and payee history are checked by the payout rules, with the
 * receiving wallet in place of the IBAN, so that an unknown outcome locks by one rule for both.
 * Pure.
 */

export const TRANSFER_FINDING_CODES = [
  'person_fits',
  'person_similar',
  'person_differs',
  'person_unnamed',
  'person_nobody',
  'person_unchecked',
  'person_changed',
  'receiver_blocked',
  'receiver_banned',
  'receiver_closed',
  'receiver_unknown',
  'currencies_differ',
] as const;
export type TransferFindingCode = FindingCode | (typeof TRANSFER_FINDING_CODES)[number];

export type TransferFinding = Omit<Finding, 'code' | 'field'> & {
  code: TransferFindingCode;
  field: TransferField;
};

/** A transfer in the form that the payout rules take. */
export type OwnTransfer = Omit<OwnMovement, 'iban' | 'taxNumber'> & { toWallet: string };

export type TransferFacts = {
  content: Partial<TransferTyped>;
  writtenCurrency: string | null;
  /** The paying wallet; its limit is the one for transfers between wallets. */
  wallet: WalletFacts | null;
  /** The receiving wallet of a transfer between own wallets; null for every other transfer. */
  receiver: { access: WalletAccess; currency: string } | null;
  /** The result of the person check; null before it. `name` is the masked one. */
  person: PersonFound | null;
  paymentType: PayoutFacts['paymentType'];
  /** Our own transfers to this wallet or name. Null before they are looked up. */
  recent: readonly OwnTransfer[] | null;
  /** The saved recipient of this wallet. */
  saved: PayoutFacts['saved'];
  foreign: readonly {
    toWallet: string;
    amountMinor: bigint;
    currency: string;
    at: string;
    seen: boolean;
  }[];
  fee: PayoutFacts['fee'];
  now: string;
};

/** Findings about banks, which do not apply to transfers. */
const ABOUT_BANKS: readonly FindingCode[] = ['currency_not_try'];
/** Findings that do not apply between own wallets: no first payment, no forged invoice. */
const ABOUT_OTHERS: readonly FindingCode[] = [
  'first_payment',
  'payee_other_iban',
  'iban_other_name',
  'above_usual',
  'unknown_same_payee',
  'duplicate_other_iban',
  'duplicate_invoice',
  'near_duplicate',
  'iban_changed',
  'payee_retired',
];

export function checkTransfer(facts: TransferFacts): TransferFinding[] {
  const { content, wallet, fee } = facts;
  const money = {
    content: { ...(content.amountMinor === undefined ? {} : { amountMinor: content.amountMinor }) },
    wallet,
    fee,
    limitLeft: null,
  };
  const words = {
    content: { ...(content.description === undefined ? {} : { description: content.description }) },
    paymentType: content.kind === 'transfer_own' ? null : facts.paymentType,
  };
  const shared = [
    ...walletFindings(facts),
    ...moneyFindings(money),
    ...descriptionFindings(words),
    ...recipientFindings(asPayout(facts)),
  ];
  return [
    ...personFindings(facts),
    ...receiverFindings(facts),
    ...shared.filter(({ code }) => concerns(code, content.kind)).map(ofTransfer),
  ];
}

function concerns(code: FindingCode, kind: TransferKindName | undefined): boolean {
  return !ABOUT_BANKS.includes(code) && !(kind === 'transfer_own' && ABOUT_OTHERS.includes(code));
}

/**
 * The facts of a transfer as the payout rules take them: with the receiving wallet in place of the
 * IBAN, and without a tax number.
 */
export function asPayout({
  content: { id, toWallet, name, amountMinor, paymentType, description },
  wallet,
  recent,
  saved,
  foreign,
  now,
}: TransferFacts): PayoutFacts {
  return {
    content: {
      ...(id === undefined ? {} : { id }),
      ...(toWallet === undefined ? {} : { iban: toWallet }),
      ...(name === undefined ? {} : { name }),
      ...(amountMinor === undefined ? {} : { amountMinor }),
      ...(paymentType === undefined ? {} : { paymentType }),
      ...(description === undefined ? {} : { description }),
    },
    wallet,
    paymentType: null,
    lastSendToIbanAt: null,
    limitLeft: null,
    fee: null,
    saved: saved ?? null,
    now,
    recent:
      recent &&
      recent.map(({ toWallet: to, ...movement }) => ({ ...movement, iban: to, taxNumber: '' })),
    foreign: foreign.map(({ toWallet: to, ...payment }) => ({ ...payment, iban: to })),
  };
}

function ofTransfer(finding: Finding): TransferFinding {
  const { field } = finding;
  const params = Object.fromEntries(
    Object.entries(finding.params).map(([name, value]): [string, FindingValue] => [
      name,
      typeof value === 'object' && 'iban' in value ? value.iban : value,
    ]),
  );
  return {
    ...finding,
    params,
    field: field === 'iban' || field === 'taxNumber' ? 'toWallet' : field,
  };
}

/**
 * Compares the person found with the intended person before anything is sent. A person who was not
 * found, was not checked, or has another wallet than the form showed blocks the transfer.
 */
function personFindings({ content, person }: TransferFacts): TransferFinding[] {
  if (content.kind !== 'transfer_person' || person === null) return [];
  const finding = (
    code: TransferFindingCode,
    level: FindingLevel,
    params: TransferFinding['params'] = {},
  ): TransferFinding[] => [{ code, level, field: 'name', params }];
  if (person.kind === 'nobody') return finding('person_nobody', 'block');
  if (person.kind === 'unchecked') return finding('person_unchecked', 'block');
  if (content.toWallet !== undefined && content.toWallet !== person.wallet)
    return finding('person_changed', 'block');
  if (content.name === undefined) return [];
  const fit = nameFit(content.name, person.name);
  return finding(`person_${fit}`, fit === 'fits' ? 'ok' : 'warn', {
    masked: person.name ?? '',
    name: content.name,
  });
}

function receiverFindings({ content, wallet, receiver }: TransferFacts): TransferFinding[] {
  if (content.kind !== 'transfer_own' || receiver === null) return [];
  const findings: TransferFinding[] = [];
  const may = mayPayFrom(receiver.access);
  if (may.kind === 'no')
    findings.push({ code: `receiver_${may.why}`, level: 'block', field: 'toWallet', params: {} });
  if (may.kind === 'unsure')
    findings.push({ code: 'receiver_unknown', level: 'warn', field: 'toWallet', params: {} });
  if (wallet !== null && wallet.currency !== receiver.currency) {
    findings.push({
      code: 'currencies_differ',
      level: 'block',
      field: 'toWallet',
      params: { from: wallet.currency, to: receiver.currency },
    });
  }
  return findings;
}
