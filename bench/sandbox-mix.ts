/**
 * Loads both providers with the calls of a merchant's day: every kind of call in its share, each
 * answer checked.
 */
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { payout, type Sandbox } from '../sandbox/testing/sandbox.ts';
import type { Shop } from '../sandbox/testing/shop.ts';

type Asked = {
  path: string;
  body: object;
  /** Text that a successful response contains. */ good?: string;
  /** Called after a successful response. */ done?: () => unknown;
};
type Verb = { what: string; /** Percent of requests. */ share: number; ask: () => Asked };

const WALLET_GOOD = '"code":"100"';
const CARD_GOOD = '"status_code":100';
const SUMMARY = '/wallet/api/v1/TransactionData/SummaryRecordByFilter';
const HOUR_MS = 3_600_000;
const FIRST = 30;

export type Mixed = { perSecond: number; latencies: number[]; answered: Record<string, number> };

export class Mix {
  readonly #box: Sandbox;
  readonly #shop: Shop;
  readonly #run: string;
  readonly #payouts: string[] = [];
  readonly #sales: string[] = [];
  #n = 0;

  constructor(box: Sandbox, shop: Shop, run: string) {
    [this.#box, this.#shop, this.#run] = [box, shop, run];
  }

  readonly #verbs: Verb[] = [
    { what: 'payout', share: 15, ask: () => this.#payOut(this.#next()) },
    {
      what: 'payout read',
      share: 20,
      ask: () => ({
        path: '/wallet/api/v1/TransactionData/GetRequestWithdrawByExtId',
        body: { ext_transaction_id: this.#earlier(this.#payouts) },
      }),
    },
    {
      what: 'summary of a reference',
      share: 8,
      ask: () => ({
        path: SUMMARY,
        body: page({ ext_transaction_id: this.#earlier(this.#payouts) }),
      }),
    },
    {
      what: 'summary of an hour',
      share: 3,
      ask: () => ({
        path: SUMMARY,
        body: page({
          start_date: new Date(Date.now() - HOUR_MS).toISOString(),
          end_date: new Date().toISOString(),
        }),
      }),
    },
    {
      what: 'withdraw list',
      share: 1,
      ask: () => ({
        path: '/wallet/api/v1/TransactionData/GetRequestWithdrawListByFilter',
        body: page({ process_level_status_id: 1 }),
      }),
    },
    {
      what: 'wallet list',
      share: 4,
      ask: () => ({ path: '/wallet/api/v1/Wallet/ListByFilter', body: page({}) }),
    },
    { what: 'card payment', share: 15, ask: () => this.#sell(this.#next()) },
    { what: 'card status', share: 20, ask: () => this.#status(this.#earlier(this.#sales)) },
    {
      what: 'getpos',
      share: 6,
      ask: () => ({
        path: '/card/ccpayment/api/getpos',
        body: {
          credit_card: '540667',
          amount: 100,
          currency_code: 'TRY',
          merchant_key: this.#shop.key,
        },
        good: CARD_GOOD,
      }),
    },
    { what: 'refund', share: 5, ask: () => this.#refund(this.#sales.shift()) },
    {
      what: 'token',
      share: 3,
      ask: () => ({
        path: '/card/ccpayment/api/token',
        body: { app_id: this.#shop.id, app_secret: this.#shop.secret },
        good: CARD_GOOD,
      }),
    },
  ];

  readonly #next = (): string => `${this.#run}-${(this.#n += 1)}`;

  #payOut(reference: string): Asked {
    return {
      path: '/wallet/api/v1/Transaction/SendMoneyToBankAccount',
      body: payout(reference),
      done: () => this.#payouts.push(reference),
    };
  }

  #sell(invoice: string): Asked {
    return {
      path: '/card/ccpayment/api/paySmart2D',
      body: this.#shop.order({ invoice_id: invoice }),
      good: CARD_GOOD,
      done: () => this.#sales.push(invoice),
    };
  }

  #earlier(list: string[]): string | undefined {
    return list[Math.floor(Math.random() * list.length)];
  }

  #status(invoice: string | undefined): Asked {
    return {
      path: '/card/ccpayment/api/checkstatus',
      body: {
        merchant_key: this.#shop.key,
        invoice_id: invoice ?? '',
        hash_key: this.#shop.hash(invoice ?? '', this.#shop.key),
      },
      good: CARD_GOOD,
    };
  }

  #refund(invoice: string | undefined): Asked {
    return {
      path: '/card/ccpayment/api/refund',
      body: {
        merchant_key: this.#shop.key,
        invoice_id: invoice ?? '',
        amount: 1,
        hash_key: this.#shop.hash('1', invoice ?? '', this.#shop.key),
      },
      good: CARD_GOOD,
    };
  }

  /** Makes the payouts and sales that the load queries, before the measurement. */
  async warmUp(): Promise<void> {
    const agent = new http.Agent({ keepAlive: true });
    for (let n = 0; n < FIRST; n++)
      for (const asked of [this.#payOut(this.#next()), this.#sell(this.#next())])
        await this.#call('warm-up', asked, agent);
    agent.destroy();
  }

  async #call(
    what: string,
    { path, body, good = WALLET_GOOD, done }: Asked,
    agent: http.Agent,
  ): Promise<void> {
    const text = await post(
      this.#box.base + path,
      agent,
      path.startsWith('/card/') ? this.#shop.token : this.#box.token,
      body,
    );
    if (!text.includes(good)) throw new Error(`${what} was answered with ${text.slice(0, 200)}`);
    done?.();
  }

  /**
   * Throws at the first response that is not a success: refused requests must not count as
   * throughput.
   */
  async load(connections: number, seconds: number, signal: AbortSignal): Promise<Mixed> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
    const deck = shuffled(
      this.#verbs.flatMap((verb) => Array.from({ length: verb.share }, () => verb)),
    );
    const latencies: number[] = [];
    const answered: Record<string, number> = {};
    const begun = performance.now();
    let next = 0;
    const hand = async (): Promise<void> => {
      while (!signal.aborted && performance.now() < begun + seconds * 1_000) {
        const verb = deck[(next += 1) % deck.length]!;
        const asked = verb.ask();
        const sent = performance.now();
        await this.#call(verb.what, asked, agent);
        latencies.push(performance.now() - sent);
        answered[verb.what] = (answered[verb.what] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, hand));
    agent.destroy();
    return {
      perSecond: (latencies.length * 1_000) / (performance.now() - begun),
      latencies,
      answered,
    };
  }
}

const page = (filter: object): object => ({
  order_column: 'CreatedDateUtc',
  order_by: 'desc',
  page_size: 20,
  page_index: 0,
  ...filter,
});

/** Shuffles a list into the same order in every run. */
function shuffled<T>(list: T[]): T[] {
  return list
    .map((one, index) => ({ one, place: (index * 37) % list.length }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

function post(url: string, agent: http.Agent, token: string, fields: object): Promise<string> {
  const body = JSON.stringify(fields);
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      authorization: `Bearer ${token}`,
    };
    const sent = http.request(url, { method: 'POST', agent, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', reject);
      answer.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
