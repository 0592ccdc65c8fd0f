import { cardApi } from './card-api/routes.ts';
import { corporateLogin, currencies, unknownLoginOperation, verifySms } from './login.ts';
import { linkOperation } from './login-links.ts';
import { empty, problem } from './wallet-api/answer.ts';
import type { Answer } from './wallet-api/answer.ts';
import { createWallet } from './wallet-api/create.ts';
import { getPaymentTypes } from './wallet-api/payment-types.ts';
import { sendMoneyToBankAccount } from './wallet-api/payout.ts';
import { checkPersonalWallet } from './wallet-api/people.ts';
import {
  getBusinessAccount,
  summaryList,
  transactionReceipt,
  walletInfo,
  walletList,
  withdrawByExtId,
  withdrawList,
} from './wallet-api/reads.ts';
import { isAuthorized, issueToken } from './wallet-api/token.ts';
import { businessToBusiness, businessToPersonal, virement } from './wallet-api/transfer.ts';
import type { World } from './world.ts';

/** A request to a provider, as it arrived. */
export type Call = {
  method: string;
  /** The path without the query. */
  path: string;
  /** The query string without the question mark. */
  query: string;
  /**
   * The last path segment that is not a number: the operation's name in faults and in the request
   * log.
   */
  operation: string;
  headers: Record<string, string>;
  body: string;
  /**
   * The virtual time of arrival in milliseconds. The token of late work is checked for this time.
   */
  arrivedAt: number;
};

type Handler = (world: World, body: string) => Answer;

const WALLET_POSTS: Record<string, Handler> = {
  '/v1/Account/GetBusinessAccount': getBusinessAccount,
  '/v1/Account/CheckPersonalWallet': checkPersonalWallet,
  '/v1/Wallet/CreateWalletForBusinessAccount': createWallet,
  '/v1/Wallet/Info': walletInfo,
  '/v1/Wallet/ListByFilter': walletList,
  '/v1/Transaction/SendMoneyToBankAccount': sendMoneyToBankAccount,
  '/v1/Transaction/BusinessToPersonalTransfer': businessToPersonal,
  '/v1/Transaction/BusinessToBusinessTransfer': businessToBusiness,
  '/v1/Transaction/TransferToVirement': virement,
  '/v1/TransactionData/GetRequestWithdrawByExtId': withdrawByExtId,
  '/v1/TransactionData/GetRequestWithdrawListByFilter': withdrawList,
  '/v1/TransactionData/SummaryRecordByFilter': summaryList,
  '/v1/TransactionData/TransactionReceipt': transactionReceipt,
};
const PAYMENT_TYPES_PATH = '/v1/Transaction/GetPaymentTypes';

const minute: { key: number; calls: number } = { key: 0, calls: 0 };

function overRate(world: World): boolean {
  const limit = world.questions.rate_limit_per_minute;
  if (limit === 0) return false;
  const key = Math.floor(world.clock.now() / 60_000);
  if (minute.key !== key) Object.assign(minute, { key, calls: 0 });
  minute.calls += 1;
  return minute.calls > limit;
}

function walletApi(world: World, call: Call): Answer {
  const path = call.path.slice('/wallet/api'.length);
  const handler = Object.hasOwn(WALLET_POSTS, path) ? WALLET_POSTS[path] : undefined;
  if (!handler && path !== PAYMENT_TYPES_PATH) return empty(404);
  const method = handler ? 'POST' : 'GET';
  if (call.method !== method) return empty(405, { allow: method });
  if (!isAuthorized(world, call.headers.authorization, call.arrivedAt))
    return empty(401, { 'www-authenticate': 'Bearer' });
  if (
    world.questions.x_client_id === 'required' &&
    call.headers['x-client-id'] !== world.credentials.wallet.client_id
  )
    return empty(401);
  if (overRate(world)) return empty(429, { 'retry-after': '10' });
  if (!handler)
    return getPaymentTypes(
      (call.headers.locale ?? 'tr').toLowerCase().startsWith('en') ? 'en' : 'tr',
    );
  const type = (call.headers['content-type'] ?? '').toLowerCase();
  if (call.body !== '' && !/^application\/(?:[\w.+-]+\+)?json(?:\s*;|$)/.test(type))
    return problem(415, 'Unsupported Media Type');
  return handler(world, call.body);
}

function loginApi(world: World, call: Call): Answer {
  const route = `${call.method} ${call.path}`;
  if (route === 'POST /login/api/corporatelogin') return corporateLogin(world, call.body);
  if (route === 'POST /login/api/verifysms') return verifySms(world, call.body);
  if (route === 'GET /login/api/dpl/create') return currencies(world, call.headers);
  return linkOperation(world, call) ?? unknownLoginOperation();
}

/**
 * Returns the provider's answer to a call. All its changes belong to the transaction of the caller.
 */
export function answerCall(world: World, call: Call): Answer {
  if (call.path.startsWith('/wallet/api/')) return walletApi(world, call);
  if (call.path === '/wallet/auth/connect/token')
    return call.method === 'POST'
      ? issueToken(world, call.body, call.headers)
      : empty(405, { allow: 'POST' });
  if (call.path.startsWith('/wallet')) return empty(404);
  return call.path.startsWith('/login') ? loginApi(world, call) : cardApi(world, call);
}

/**
 * Returns the name of an operation in the request log: the last part of the path that is not a
 * number.
 */
export const operationOf = (path: string): string =>
  path
    .split('/')
    .filter((part) => !/^\d+$/.test(part))
    .at(-1) ?? '';

export const isProviderPath = (path: string): boolean =>
  /^\/(?:wallet|login|card)(?:\/|$)/.test(path);
