import 'server-only';
import { bindVerbs } from '../bound-verbs.ts';
import type { Bound } from '../bound-verbs.ts';
import { exchange } from '../transport.ts';
import type { Transport } from '../transport.ts';
import { getBusinessAccount } from './account.ts';
import { createWallet } from './create-wallet.ts';
import { findInLedger, listTransactions } from './ledger.ts';
import { createLine } from './connection.ts';
import { getPaymentTypes } from './payment-types.ts';
import { listWithdrawals, readPayout, sendPayout } from './payouts.ts';
import { findPersonalWallet } from './personal-wallet.ts';
import { getReceipt } from './receipts.ts';
import { createWalletToken } from './token.ts';
import { readTransfer, sendTransfer } from './transfers.ts';
import { getWallet, listWallets } from './wallets.ts';

export type WalletConfig = {
  authUrl: string;
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  scope: string;
  /** The network; the simulator and the tests bring their own. */
  transport?: Transport;
  /** Called for each request that is not sent for want of a token. */
  onNoToken?: () => void;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

/**
 * Every operation returns a result even without a response, and never throws for network errors.
 * Each operation is described in its own file.
 */
const VERBS = {
  getBusinessAccount,
  getWallet,
  listWallets,
  createWallet,
  findPersonalWallet,
  getPaymentTypes,
  sendPayout,
  readPayout,
  sendTransfer,
  readTransfer,
  listWithdrawals,
  findInLedger,
  listTransactions,
  getReceipt,
};
export type WalletClient = Bound<typeof VERBS>;

/** One client per process: its token is shared by all its calls. */
export function createWalletClient(config: WalletConfig): WalletClient {
  const transport = config.transport ?? exchange;
  const token = createWalletToken({
    ...config,
    transport,
    now: config.now ?? (() => performance.now()),
  });
  const { apiUrl, clientId, onNoToken } = config;
  const line = createLine({ apiUrl, clientId, token, transport, onNoToken });
  return bindVerbs(line, VERBS);
}
