import { SANDBOX_URL } from './surroundings.ts';
import { payout } from '../sandbox/testing/sandbox.ts';

/** One movement of money at the provider. It is the truth for "never twice". */
export type LedgerLine = {
  id: string;
  kind: string;
  ext_transaction_id: string | null;
  iban: string;
  amount: string;
  state: string;
  invoice_id?: string | null;
  ref?: string | null;
};
export type Arrived = {
  operation: string;
  at: string;
  body: string;
  executed: boolean;
  fault: string | null;
  answer: { status: number | null; code: string | null };
};
export type Fault = {
  operation: string;
  kind: string;
  times?: number;
  after?: number;
  [field: string]: unknown;
};

/** The ledger kinds of movements that our own requests make. */
const MOVING = ['payout', 'to_person', 'to_business', 'virement'];
/**
 * The kinds that may not move money twice: a capture by its authorization, a refund by our own
 * number.
 */
const CARD_MOVING = ['card_capture', 'card_refund'];

/** The defaults: the bank responds soon, and webhooks are sent at once and in order. */
const USUAL = {
  bank: { mode: 'auto', delayMs: 1_000 },
  webhooks: { drop: false, duplicate: false, reorder: false, delayMs: 0 },
  questions: { ledger_lag_min_ms: 1_000, ledger_lag_max_ms: 1_000 },
};

/** The payment providers' control interface, which the sandbox's console uses too. */
export const sandbox = {
  /**
   * Removes all faults and restores the defaults of bank and webhooks, between tests. It does not
   * set the clock back, which only moves forward.
   */
  async calm(): Promise<void> {
    await Promise.all([
      call('DELETE', 'faults'),
      call('POST', 'bank/mode', USUAL.bank),
      call('POST', 'webhooks/mode', USUAL.webhooks),
      call('POST', 'questions', USUAL.questions),
      call('POST', 'wallets/4410270001', { access_level_status_id: 1 }),
      call('POST', 'accounts/4410027815', { access_level_status_id: 1 }),
    ]);
  },
  /** By how many milliseconds its clock is ahead of this machine's. */
  async aheadMs(): Promise<number> {
    return (await call<{ offset_ms: number }>('GET', 'clock')).offset_ms;
  },
  /** The newest code that was sent to that person's phone, or null. */
  async code(email: string): Promise<string | null> {
    const messages = await call<{ code: string }[]>(
      'GET',
      `messages?to=${encodeURIComponent(email)}`,
    );
    return messages[0]?.code ?? null;
  },
  async codesSent(email: string): Promise<number> {
    return (await call<unknown[]>('GET', `messages?to=${encodeURIComponent(email)}`)).length;
  },
  fault: (fault: Fault) => call('POST', 'faults', fault),
  dropFaults: (operation: string) => call('DELETE', `faults?operation=${operation}`),
  bankMode: (mode: 'auto' | 'manual', delayMs = USUAL.bank.delayMs) =>
    call('POST', 'bank/mode', { mode, delayMs }),
  /** Makes the bank decide on the payout to `iban`. */
  async bankDoes(
    iban: string,
    outcome: 'complete' | 'reject' | 'fail' | 'manual' | 'approve' | 'return' | 'cancel',
  ): Promise<void> {
    const { requests } = await call<{ requests: { request_id: string; iban: string }[] }>(
      'GET',
      'bank',
    );
    const request = requests.find((one) => one.iban === iban);
    if (request === undefined) throw new Error(`the bank has no payout to ${iban}`);
    await call('POST', `bank/${request.request_id}`, { outcome });
  },
  noticeMode: (mode: {
    drop?: boolean;
    duplicate?: boolean;
    reorder?: boolean;
    delayMs?: number;
  }) => call('POST', 'webhooks/mode', mode),
  /**
   * Sets how the gateway is configured for the merchant, and the behaviours that the contracts
   * leave open.
   */
  cardSettings: (settings: Record<string, unknown>) => call('POST', 'card/settings', settings),
  /** Completes every refund that the gateway's staff have to carry out by hand. */
  async completeRefunds(): Promise<void> {
    const { refunds } = await call<{ refunds: { id: number }[] }>('GET', 'card');
    for (const { id } of refunds) await call('POST', `card/refunds/${id}/complete`);
  },
  questions: (answers: Record<string, unknown>) => call('POST', 'questions', answers),
  /** Advances the providers' clock, for example by '61m'. */
  passTime: (advance: string) => call('POST', 'clock', { advance }),
  wallet: (number: string, access: 1 | 2 | 3 | 4) =>
    call('POST', `wallets/${number}`, { access_level_status_id: access }),
  /**
   * Tops up a wallet by bank transfer. A top-up that the provider refuses fails, and the provider
   * reports it by a webhook.
   */
  topUp: (
    number: string,
    money: { amount: string; sender_name?: string; description?: string; bank_receipt_no?: string },
  ) => call<{ id: string }>('POST', `wallets/${number}/topup`, money),
  /** Another program of the merchant moves money to another wallet: everything without an amount. */
  move: (from: string, to: string, amount?: string) =>
    call<{ amount: string }>('POST', `wallets/${from}/move`, { to, amount }),
  /** Sets the access level of the merchant's own account. */
  account: (access: 1 | 2 | 3) =>
    call('POST', 'accounts/4410027815', { access_level_status_id: access }),
  /** The payments that were executed to that IBAN. More than one is the worst possible failure. */
  paidTo: (iban: string) => call<LedgerLine[]>('GET', `ledger?kind=payout&iban=${iban}`),
  /** Every movement of one kind that the provider executed for us, whatever the bank decided. */
  ledger: (kind: string) => call<LedgerLine[]>('GET', `ledger?kind=${kind}&seeded=0`),
  /**
   * References, authorizations and refund numbers that moved money more than once since the product
   * was started. The list must always be empty.
   */
  async paidTwice(): Promise<string[]> {
    const lines = await Promise.all(
      [...MOVING, ...CARD_MOVING].map((kind) =>
        call<LedgerLine[]>('GET', `ledger?kind=${kind}&seeded=0`),
      ),
    );
    const references = lines
      .flat()
      .flatMap(
        (line) =>
          line.ext_transaction_id ??
          (line.kind === 'card_capture'
            ? line.invoice_id
            : line.kind === 'card_refund'
              ? line.ref
              : null) ??
          [],
      );
    return references.filter((reference, at) => references.indexOf(reference) !== at);
  },
  /** Everything that the provider executed under one reference. */
  ledgerOf: (extId: string) => call<LedgerLine[]>('GET', `ledger?ext_transaction_id=${extId}`),
  returnsFrom: (iban: string) => call<LedgerLine[]>('GET', `ledger?kind=return&iban=${iban}`),
  /** The money of one order at the card gateway, newest first. `sign`: +1 paid in, -1 refunded. */
  cardMoney: (invoice: string) =>
    call<{ kind: string; amount: string; sign: number }[]>(
      'GET',
      `ledger?invoice_id=${encodeURIComponent(invoice)}`,
    ),
  /** The requests of one operation as the provider received them, newest first. */
  requests: (operation: string) =>
    call<Arrived[]>('GET', `requests?operation=${operation}&limit=10000`),
  /** The requests to send money to that IBAN, whatever their outcome. */
  async sendsTo(iban: string): Promise<{ extId: string }[]> {
    const sends = await sandbox.requests('SendMoneyToBankAccount');
    return sends
      .filter((one) => one.body.includes(iban))
      .map((one) => ({ extId: /"ext_transaction_id"\s*:\s*"([^"]+)"/.exec(one.body)?.[1] ?? '' }));
  },
};

/** Sends a payout with the merchant's credentials from another program than the product. */
export async function payElsewhere(): Promise<void> {
  const { wallet } = await call<{ wallet: Record<string, string> }>('GET', 'credentials');
  const token = await fetch(`${SANDBOX_URL}/wallet/auth/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...wallet }),
  });
  const { access_token: bearer } = (await token.json()) as { access_token: string };
  const answer = await fetch(`${SANDBOX_URL}/wallet/api/v1/Transaction/SendMoneyToBankAccount`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(payout(`PANEL-${Date.now()}`)),
  });
  if (!answer.ok) throw new Error(`the sandbox answered a payout with ${answer.status}`);
}

/** The time limit for a command of the control interface; none takes longer. */
const ANSWER_MS = 60_000;

async function call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${SANDBOX_URL}/sandbox/${path}`, {
    method,
    signal: AbortSignal.timeout(ANSWER_MS),
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await answer.text();
  if (!answer.ok)
    throw new Error(`the sandbox answered ${method} ${path} with ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
