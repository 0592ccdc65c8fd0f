import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import type { KeyRight } from '../keys/rights.ts';
import { freshIban } from '#lib/providers/sandbox-fixture.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';

/** A program with API keys, which calls the routes as a browserless client does. */

export const WALLET = '1000000001';
export const RIGHTS: readonly KeyRight[] = [
  'payouts.prepare',
  'payouts.read',
  'batches.prepare',
  'batches.read',
];

const PAYOUTS = '/api/v1/payouts';
const BATCHES = '/api/v1/batches';

/** What the provider says in these tests. */
export const provider = { available: 100_000_000n as bigint | null, silent: false };
/** The headers of the request that is under way: the framework would keep them. */
const current = { headers: new Headers() };

/** Replaces the provider and the framework's request; before any module of the product is loaded. */
export function mockSurroundings(): void {
  vi.doMock('#lib/wallets/ask.ts', () => {
    const wallet = (number: string) => ({
      number,
      currency: 'TRY',
      access: 'active',
      availableMinor: provider.available,
      limits: { withdrawalMinor: null },
    });
    return {
      freshWallet: async (number: string) => (provider.silent ? null : wallet(number)),
      knownWallet: async (_actor: unknown, number: string) =>
        provider.silent
          ? { fresh: false, at: null, value: null }
          : { fresh: true, at: new Date().toISOString(), value: wallet(number) },
      paymentTypes: async () => [{ code: '1', name: 'Other', description: '', descriptionMin: 3 }],
    };
  });
  vi.doMock('next/headers', () => ({ headers: async () => current.headers }));
}

export async function openPrograms() {
  const merchant = await testMerchant();
  mockSurroundings();
  const web = await openProcess('dashboard_web');
  const modules = {
    make: (await import('../keys/make.ts')).makeKey,
    confirm: (await import('../keys/confirm.ts')).confirmKey,
    revoke: (await import('../keys/revoke.ts')).revokeKey,
    keys: (await import('../keys/list.ts')).listKeys,
    requests: (await import('../api/requests.ts')).listRequests,
    routes: await import('../api/routes.ts'),
  };
  const newKey = async (
    rights: readonly KeyRight[] = RIGHTS,
    wallet = '',
  ): Promise<{ id: string; secret: string }> => {
    const reason = 'a test of the API';
    const made = await modules.make(merchant.person('owner'), {
      ...{ name: `key ${randomUUID().slice(0, 8)}`, rights, wallet, reason },
    });
    await modules.confirm(merchant.person('approver'), made.id);
    return made;
  };
  return {
    merchant,
    web,
    ...modules,
    newKey,
    postPayout: (given: Call) => answered(given, modules.routes.postPayout, PAYOUTS, 'POST'),
    getPayout: (id: string, given: Call) =>
      answered(
        given,
        (request) => modules.routes.getPayout(request, id),
        `${PAYOUTS}/${id}`,
        'GET',
      ),
    postBatch: (given: Call) => answered(given, modules.routes.postBatch, BATCHES, 'POST'),
    getBatch: (id: string, given: Call) =>
      answered(given, (request) => modules.routes.getBatch(request, id), `${BATCHES}/${id}`, 'GET'),
    close: async () => {
      await web.db.disconnect();
      await merchant.close();
    },
  };
}

export type Programs = Awaited<ReturnType<typeof openPrograms>>;
type Call = {
  secret?: string;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  body?: unknown;
};
export type Answered = {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the tests look into any answer
  body: any;
  headers: Headers;
};

async function answered(
  { secret, idempotencyKey, headers = {}, body }: Call,
  route: (request: Request) => Promise<Response>,
  path: string,
  method: string,
): Promise<Answered> {
  const all = new Headers({
    'x-forwarded-for': '203.0.113.9',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...headers,
  });
  current.headers = all;
  const response = await route(
    new Request(`http://localhost${path}`, {
      method,
      headers: all,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
  return { status: response.status, body: await response.json(), headers: response.headers };
}

let serial = 0;

/** A payout that no rule minds: each has a payee of its own. */
export function aPayout(given: Record<string, unknown> = {}): Record<string, unknown> {
  return { wallet: WALLET, currency: 'TRY', ...aRow(), ...given };
}

export function aRow(given: Record<string, unknown> = {}): Record<string, unknown> {
  serial += 1;
  return {
    iban: freshIban(),
    name: `Alıcı ${'ABCDEFGHIJKLMNOPRSTUVYZ'[serial % 23]}${serial} Ltd.`,
    tax_number: '10000000146',
    amount: `${100 + serial * 17}.25`,
    payment_type: '1',
    description: `Fatura ${serial}`,
    overrides: [
      ...['payee_other_iban', 'duplicate_other_iban', 'near_duplicate', 'iban_other_name'],
    ],
    override_reason: 'separate_invoice',
    ...given,
  };
}
