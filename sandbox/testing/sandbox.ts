import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { touchesOf, touchesOfNotice } from './touches.ts';
import type { Exchange, Touch } from './touches.ts';

/** A sandbox process for the tests, on a free port, with a data folder of its own. */

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const START_WITHIN_MS = 15_000;

let listener: ((touches: Touch[]) => void) | null = null;

/**
 * From now on calls `tell` with the rows of the coverage that each call and each notification
 * meets.
 */
export function listenForTouches(tell: (touches: Touch[]) => void): void {
  listener = tell;
}

export type ApiResponse = {
  status: number;
  text: string;
  json: Record<string, unknown>;
  headers: Headers;
};
export type Notice = {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  json: Record<string, unknown>;
};

/** "TR80 9999 9000 0000 0000 0000 01": a valid IBAN of the made-up bank that is not magic. */
export const PLAIN_IBAN = 'TR809999900000000000000001';
export const MAIN_WALLET = '4410270001';

/**
 * Makes a valid IBAN of the made-up bank for an account number. The check digits are computed here
 * and not by the code under test, so that the tests do not depend on it.
 */
export function ibanOf(account: number | string, bank = '99999'): string {
  const bban = `${bank}0${String(account).padStart(16, '0')}`;
  const check = 98n - (BigInt(`${bban}292700`) % 97n);
  return `TR${String(check).padStart(2, '0')}${bban}`;
}

let nextAccount = 7_000_000;
/**
 * Makes an unused IBAN that is not magic: the account numbers are multiples of 1000, and a magic
 * IBAN ends in 9 and a code.
 */
export const freshIban = (): string => ibanOf((nextAccount += 1000));

/** Returns the fields of a notification, whose body is JSON or a form. */
const fieldsOf = (text: string): Record<string, unknown> =>
  text.startsWith('{')
    ? (JSON.parse(text) as Record<string, unknown>)
    : Object.fromEntries(new URLSearchParams(text));

export class Sandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  readonly notices: Notice[] = [];
  /** The statuses with which the receiver of the notifications answers, in order; then 200. */
  receiverAnswers: number[] = [];
  base = '';
  token = '';
  #child: ChildProcess | null = null;
  #receiver: Server | null = null;
  #notifyUrl = '';

  async start(): Promise<this> {
    this.#receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        this.notices.push({
          path: request.url ?? '',
          headers: request.headers,
          text,
          json: fieldsOf(text),
        });
        listener?.(touchesOfNotice({ path: request.url ?? '', fields: fieldsOf(text) }));
        response.writeHead(this.receiverAnswers.shift() ?? 200).end();
      });
    });
    await new Promise<void>((resolve) => this.#receiver?.listen(0, '127.0.0.1', resolve));
    const address = this.#receiver.address();
    this.#notifyUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook/key`;
    await this.boot();
    return this;
  }

  /** The process id, by which a benchmark measures the processor time. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The origin at which the receiver of the notifications listens. */
  get receiver(): string {
    return new URL(this.#notifyUrl).origin;
  }

  /** Starts the process, or starts it again, at a free port: another process may have the former. */
  async boot(): Promise<void> {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        SANDBOX_PORT: '0',
        DATA_DIR: this.folder,
        SANDBOX_NOTIFY_URL: this.#notifyUrl,
      } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    this.base = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error('the sandbox did not start')),
        START_WITHIN_MS,
      );
      child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)));
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const url = /ready at (\S+)/.exec(output)?.[1];
        if (!url) return;
        clearTimeout(timer);
        resolve(url);
      });
    });
    await this.login();
  }

  async login(): Promise<void> {
    const { wallet } = (await this.get('credentials')) as { wallet: Record<string, string> };
    const answer = await this.raw('/wallet/auth/connect/token', {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', ...wallet }),
    });
    this.token = String(answer.json.access_token);
  }

  /** Ends the process by a signal, waits for its end and returns its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return child?.exitCode ?? null;
    const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill(signal);
    return gone;
  }

  async stop(): Promise<void> {
    await this.end('SIGTERM');
    this.#receiver?.closeAllConnections();
    await new Promise((resolve) => this.#receiver?.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }

  async raw(path: string, init: RequestInit = {}): Promise<ApiResponse> {
    const response = await fetch(this.base + path, { redirect: 'manual', ...init }).catch(
      async (error: unknown) => {
        await this.#tell(path, init, { status: 0, location: null, text: '' });
        throw error;
      },
    );
    const text = await response.text();
    await this.#tell(path, init, {
      status: response.status,
      location: response.headers.get('location'),
      text,
    });
    let json: Record<string, unknown> = {};
    try {
      json = JSON.parse(text) as Record<string, unknown>;
    } catch {
      // Not JSON: the test checks the text.
    }
    return { status: response.status, text, json, headers: response.headers };
  }

  async #tell(
    path: string,
    { method = 'GET', headers, body }: RequestInit,
    answer: Pick<Exchange, 'status' | 'location' | 'text'>,
  ): Promise<void> {
    if (listener === null) return;
    const sent = await new Response(body ?? '').text();
    listener(
      touchesOf({
        method,
        url: new URL(this.base + path),
        headers: new Headers(headers),
        body: sent,
        ...answer,
      }),
    );
  }

  /** Makes a call with these headers only; fetch would add its own. */
  async bare(
    path: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string }> {
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const call = request(this.base + path, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      });
      call.once('error', reject).end();
    });
    await this.#tell(path, { headers }, { ...answer, location: null });
    return answer;
  }

  /** Makes a control call; throws when it is refused. */
  async get(path: string): Promise<unknown> {
    const response = await this.raw(`/sandbox/${path}`);
    if (response.status !== 200)
      throw new Error(`GET ${path}: ${response.status} ${response.text}`);
    return JSON.parse(response.text);
  }

  async post(path: string, body: object = {}): Promise<Record<string, unknown>> {
    const response = await this.raw(`/sandbox/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (response.status !== 200)
      throw new Error(`POST ${path}: ${response.status} ${response.text}`);
    return response.json;
  }

  /** Calls a wallet operation with the token; `body` is an object or exact text. */
  call(operation: string, body: object | string): Promise<ApiResponse> {
    return this.raw(`/wallet/api/v1/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  pay(extId: string, fields: Record<string, unknown> = {}): Promise<ApiResponse> {
    return this.call('Transaction/SendMoneyToBankAccount', payout(extId, fields));
  }

  read(extId: string): Promise<ApiResponse> {
    return this.call('TransactionData/GetRequestWithdrawByExtId', { ext_transaction_id: extId });
  }

  ledgerOf(extId: string): Promise<Record<string, unknown>[]> {
    return this.get(`ledger?ext_transaction_id=${extId}`) as Promise<Record<string, unknown>[]>;
  }

  async wallet(
    number = MAIN_WALLET,
  ): Promise<{ available: string; blocked: string; agrees: boolean }> {
    const books = (await this.get('books')) as {
      wallets: { wallet_number: string; available: string; blocked: string; agrees: boolean }[];
    };
    const found = books.wallets.find((one) => one.wallet_number === number);
    if (!found) throw new Error(`no wallet ${number}`);
    return found;
  }

  /** Waits until `check` returns a truthy value, and returns it. */
  async until<T>(check: () => T | Promise<T>, withinMs = 15_000): Promise<NonNullable<T>> {
    const end = Date.now() + withinMs;
    for (;;) {
      const value = await check();
      if (value) return value as NonNullable<T>;
      if (Date.now() > end) throw new Error('waited in vain');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

export function payout(
  extId: string,
  fields: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    sender_wallet_number: MAIN_WALLET,
    ext_transaction_id: extId,
    receiver_account_holder_name: 'Ege İplik Dokuma A.Ş.',
    receiver_iban: freshIban(),
    receiver_national_id_or_tax_no: '1234567890',
    amount: 100,
    currency_code: 'TRY',
    description: 'İplik alımı',
    payment_type: '06',
    ...fields,
  };
}

export const levelOf = (response: ApiResponse): unknown =>
  (response.json.payload as Record<string, unknown> | null)?.process_level_status;
