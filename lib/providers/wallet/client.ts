import 'server-only';
import type { LedgerOutcome, Page, ReadOutcome, Reply, SendOutcome } from '../outcome.ts';
import { exchange } from '../transport.ts';
import type { Transport } from '../transport.ts';
import { getBusinessAccount } from './account.ts';
import { createWallet } from './create-wallet.ts';
import { findInLedger, listTransactions } from './ledger.ts';
import type { LedgerQuestion } from './ledger-search.ts';
import { createLine } from './connection.ts';
import type { Sending } from './connection.ts';
import { getPaymentTypes } from './payment-types.ts';
import { listWithdrawals, readPayout, sendPayout } from './payouts.ts';
import { findPersonalWallet } from './personal-wallet.ts';
import { getReceipt } from './receipts.ts';
import { createWalletToken } from './token.ts';
import { readTransfer, sendTransfer } from './transfers.ts';
import { getWallet, listWallets } from './wallets.ts';
import type {
  BusinessAccount,
  DateRange,
  NewWallet,
  PageAsked,
  PaymentType,
  PayoutContent,
  PersonalWalletAnswer,
  PersonalWalletQuestion,
  ReceiptAnswer,
  RecordExpected,
  Transaction,
  TransactionFilter,
  TransferContent,
  TransferExpected,
  TransferKind,
  Wallet,
  WalletCreated,
  WalletFilter,
  Withdrawal,
  WithdrawalFilter,
} from './types.ts';

export type WalletConfig = {
  authUrl: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** The network; the simulator and the tests bring their own. */
  transport?: Transport;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

/**
 * Every operation returns what is known, no response included, and never throws for network errors.
 * Each is described in its own file.
 */
export type WalletClient = {
  getBusinessAccount(): Promise<Reply<BusinessAccount>>;
  getWallet(number: string): Promise<Reply<Wallet>>;
  listWallets(filter: WalletFilter, page: PageAsked): Promise<Reply<Page<Wallet>>>;
  createWallet(wallet: NewWallet): Promise<WalletCreated>;
  findPersonalWallet(question: PersonalWalletQuestion): Promise<PersonalWalletAnswer>;
  getPaymentTypes(locale: 'tr' | 'en'): Promise<Reply<PaymentType[]>>;
  sendPayout(content: PayoutContent, options: Sending): Promise<SendOutcome>;
  readPayout(expected: RecordExpected): Promise<ReadOutcome>;
  sendTransfer(
    kind: TransferKind,
    content: TransferContent,
    options: Sending,
  ): Promise<SendOutcome>;
  readTransfer(expected: TransferExpected, range: DateRange): Promise<ReadOutcome>;
  listWithdrawals(filter: WithdrawalFilter, page: PageAsked): Promise<Reply<Page<Withdrawal>>>;
  findInLedger(question: LedgerQuestion): Promise<LedgerOutcome>;
  listTransactions(filter: TransactionFilter, page: PageAsked): Promise<Reply<Page<Transaction>>>;
  getReceipt(transactionId: string): Promise<ReceiptAnswer>;
};

/** One client per process: its token is shared by all its calls. */
export function createWalletClient(config: WalletConfig): WalletClient {
  const transport = config.transport ?? exchange;
  const token = createWalletToken({
    ...config,
    transport,
    now: config.now ?? (() => performance.now()),
  });
  const line = createLine({ apiUrl: config.apiUrl, clientId: config.clientId, token, transport });
  return {
    getBusinessAccount: () => getBusinessAccount(line),
    getWallet: (number) => getWallet(line, number),
    listWallets: (filter, page) => listWallets(line, filter, page),
    createWallet: (wallet) => createWallet(line, wallet),
    findPersonalWallet: (question) => findPersonalWallet(line, question),
    getPaymentTypes: (locale) => getPaymentTypes(line, locale),
    sendPayout: (content, options) => sendPayout(line, content, options),
    readPayout: (expected) => readPayout(line, expected),
    sendTransfer: (kind, content, options) => sendTransfer(line, kind, content, options),
    readTransfer: (expected, range) => readTransfer(line, expected, range),
    listWithdrawals: (filter, page) => listWithdrawals(line, filter, page),
    findInLedger: (question) => findInLedger(line, question),
    listTransactions: (filter, page) => listTransactions(line, filter, page),
    getReceipt: (transactionId) => getReceipt(line, transactionId),
  };
}
