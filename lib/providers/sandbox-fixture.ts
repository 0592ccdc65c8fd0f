import 'server-only';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCardClient } from './card/client.ts';
import type { CardClient } from './card/client.ts';
import { createLoginClient } from './login/client.ts';
import type { LoginClient } from './login/client.ts';
import type { SendOutcome } from './outcome.ts';
import { exchange } from './transport.ts';
import { createWalletClient } from './wallet/client.ts';
import type { WalletClient } from './wallet/client.ts';
import type { PayoutContent } from './wallet/types.ts';

/**
 * For tests: a sandbox of its own, in its own directory, on a free port. The sandbox was written
 * from the same contracts and shares no code with the clients: where the two disagree, one of them
 * misreads the contract.
 */

/** Long enough for a sandbox on a busy machine: a request that will be answered waits for it. */
const DEADLINE_MS = 15_000;
/** Short, because a request that a fault leaves without an answer waits for all of it. */
const SILENT_DEADLINE_MS = 3_000;
export const WALLET = '4410270001';

export type CardCredentials = { app_id: string; app_secret: string; merchant_key: string };
type Credentials = { client_id: string; client_secret: string; scope: string };

export type Sandbox = {
  /** Environment variables for a process that uses this sandbox. */
  environment: Record<string, string>;
  wallet: WalletClient;
  login: LoginClient;
  card: CardClient;
  cardCredentials: CardCredentials;
  newCardClient(
    credentials?: Partial<CardCredentials>,
    more?: { entry?: 'off' | '3d' | 'all' },
  ): CardClient;
  /** Bodies of the webhooks that arrived. */
  notices: string[];
  control<T>(method: string, path: string, body?: object): Promise<T>;
  fault(operation: string, kind: string, more?: object): Promise<unknown>;
  bank(extId: string, outcome: string): Promise<unknown>;
  /** Number of executions of this ext id. */
  executions(extId: string): Promise<number>;
  /** Number of pay requests for this ext id. */
  posts(extId: string): Promise<number>;
  newWalletClient(credentials: Credentials): WalletClient;
  send(content: PayoutContent, beforeWrite?: () => boolean): Promise<SendOutcome>;
  stop(): Promise<void>;
};

export async function startSandbox(): Promise<Sandbox> {
  const home = mkdtempSync(join(tmpdir(), 'providers-sandbox-'));
  const notices: string[] = [];
  const receiver = await listen(notices);
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../sandbox/main.ts', import.meta.url))],
    {
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        SANDBOX_PORT: '0',
        DATA_DIR: home,
        SANDBOX_NOTIFY_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const base = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const ready = /ready at (http\S+)/.exec(text)?.[1];
      if (ready) resolve(ready);
    });
  });

  const silence = silentRequests();
  const control = async <T>(method: string, path: string, body?: object): Promise<T> => {
    if (method === 'DELETE' && path === 'faults') silence.end();
    const answer = await fetch(`${base}/sandbox/${path}`, {
      method,
      ...(body
        ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
        : {}),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const transport: typeof exchange = (request) =>
    exchange({
      ...request,
      deadlineMs: silence.hits(request.url) ? SILENT_DEADLINE_MS : DEADLINE_MS,
    });
  const newWalletClient = ({
    client_id: clientId,
    client_secret: clientSecret,
    scope,
  }: Credentials): WalletClient =>
    createWalletClient({
      authUrl: `${base}/wallet/auth`,
      apiUrl: `${base}/wallet/api`,
      clientId,
      clientSecret,
      scope,
      transport,
    });
  const { wallet: credentials, card: cardCredentials } = await control<{
    wallet: Credentials;
    card: CardCredentials;
  }>('GET', 'credentials');
  const newCardClient: Sandbox['newCardClient'] = (other = {}, options = {}) => {
    const {
      app_id: appId,
      app_secret: appSecret,
      merchant_key: merchantKey,
    } = { ...cardCredentials, ...other };
    return createCardClient({
      baseUrl: `${base}/card`,
      appId,
      appSecret,
      merchantKey,
      fieldPrefix: 'svc_',
      entry: 'all',
      transport,
      ...options,
    });
  };
  const wallet = newWalletClient(credentials);
  await control('POST', 'bank/mode', { mode: 'manual' });

  return {
    environment: {
      LOGIN_BASE_URL: `${base}/login`,
      CARD_BASE_URL: `${base}/card`,
      CARD_APP_ID: cardCredentials.app_id,
      CARD_APP_SECRET: cardCredentials.app_secret,
      WALLET_AUTH_URL: `${base}/wallet/auth`,
      WALLET_API_URL: `${base}/wallet/api`,
      WALLET_CLIENT_ID: credentials.client_id,
      WALLET_CLIENT_SECRET: credentials.client_secret,
      WALLET_SCOPE: credentials.scope,
    },
    wallet,
    login: createLoginClient({ baseUrl: `${base}/login`, transport }),
    card: newCardClient(),
    cardCredentials,
    newCardClient,
    notices,
    control,
    newWalletClient,
    fault: (operation, kind, more = {}) => {
      silence.begin(operation, kind, more);
      return control('POST', 'faults', { operation, kind, ...more });
    },
    bank: (extId, outcome) => control('POST', `bank/${extId}`, { outcome }),
    executions: async (extId) =>
      (await control<{ kind: string }[]>('GET', `ledger?ext_transaction_id=${extId}`)).filter(
        (line) => line.kind === 'payout',
      ).length,
    posts: async (extId) =>
      (
        await control<{ body: string }[]>('GET', 'requests?operation=SendMoneyToBankAccount')
      ).filter((request) => request.body.includes(extId)).length,
    send: (content, beforeWrite = () => true) =>
      wallet.sendPayout(content, { endUserIp: '88.1.2.3', beforeWrite }),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      if (child.exitCode === null && child.kill('SIGTERM')) await ended;
      receiver.closeAllConnections();
      receiver.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Counts which requests the faults leave without an answer, as the sandbox counts them. */
function silentRequests() {
  let faults: { operation: string; left: number }[] = [];
  return {
    begin(operation: string, kind: string, more: { hang?: boolean; times?: number }): void {
      if (more.hang === true || kind === 'delay' || kind === 'slowloris')
        faults.push({ operation, left: more.times ?? 1 });
    },
    hits(url: string): boolean {
      const { pathname } = new URL(url);
      const fault = faults.find(
        ({ operation, left }) =>
          left > 0 && (operation === '*' || pathname.endsWith(`/${operation}`)),
      );
      if (fault !== undefined) fault.left -= 1;
      return fault !== undefined;
    },
    end(): void {
      faults = [];
    },
  };
}

async function listen(bodies: string[]): Promise<http.Server> {
  const server = http.createServer((request, response) => {
    let body = '';
    request
      .setEncoding('utf8')
      .on('data', (part: string) => (body += part))
      .on('end', () => {
        bodies.push(body);
        response.end();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

let account = 100_000;

/** A valid IBAN without an earlier payment: the one-minute rule is per IBAN. */
export function freshIban(bankCode = '00062', ending?: string): string {
  const bban = `${bankCode}0${(ending ?? String(++account)).padStart(16, '0')}`;
  const check = 98n - (BigInt(`${bban}292700`) % 97n);
  return `TR${check.toString().padStart(2, '0')}${bban}`;
}

export const payout = (more: Partial<PayoutContent> = {}): PayoutContent => ({
  extId: `P-${randomUUID()}`,
  wallet: WALLET,
  iban: freshIban(),
  name: 'Işık Çağrı Öğüt',
  taxNumber: '1234567890',
  amountMinor: 12_340n,
  currency: 'TRY',
  paymentType: '06',
  description: 'Fatura 4711 ödemesi',
  ...more,
});

/**
 * A date range from yesterday into the far future, because tests move the sandbox's clock forward.
 */
export const range = (): { from: string; to: string } => ({
  from: new Date(Date.now() - 86_400_000).toISOString(),
  to: new Date(Date.now() + 400 * 86_400_000).toISOString(),
});
