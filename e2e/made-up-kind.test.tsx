import { randomUUID } from 'node:crypto';
import { NextIntlClientProvider } from 'next-intl';
import { renderToString } from 'react-dom/server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MovementIsland } from '#app/movements/movement-island.tsx';
import { toneOf, wordOf } from '#components/state-words.ts';
import { timelineNodes } from '#lib/movement-views/timeline.ts';
import type * as Navigation from 'next/navigation';
import type * as View from '#lib/movement-views/view.ts';
import type * as Submit from '#lib/movements/submit.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { workerKinds } from '#lib/movements/kind.ts';
import { kindsWhere, movementAddress } from '#lib/movements/kinds.ts';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { debit, found } from '#lib/movements/testing/movement.ts';
import { rowOf, setColumns, testIban } from '#lib/movements/testing/stored.ts';
import { MESSAGES } from '#lib/runtime/messages.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { Locale } from '#lib/values/locale.ts';
import { STANDING_ORDER, standingOrderKind } from './made-up-kind-fixture.ts';
import type { Answers } from './made-up-kind-fixture.ts';

/**
 * A new kind is one row of the table and one value for the worker: core, queue, worker and pages
 * read them, and no other file names a kind.
 */
vi.mock('#lib/movements/kinds.ts', async (original) => {
  const { withStandingOrders } = await import('./made-up-kind-fixture.ts');
  return withStandingOrders(await original());
});

// The test presses no button. The actions are mocked because their imports need a request of
// Next.js.
vi.mock('#app/movements/actions.ts', () => {
  const nothing = (): void => undefined;
  return {
    askAboutMovement: nothing,
    cancelOwnMovement: nothing,
    acknowledgeFlag: nothing,
    submitMovementStatement: nothing,
  };
});
vi.mock('next/navigation', async (original) => ({
  ...(await original<typeof Navigation>()),
  useRouter: () => ({ refresh: () => undefined }),
}));

let merchant: TestMerchant;
let web: Process;
let worker: Process;
let submit: typeof Submit;
let view: typeof View;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  submit = await import('#lib/movements/submit.ts');
  view = await import('#lib/movement-views/view.ts');
  worker = await openProcess('dashboard_worker');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), worker.db.disconnect(), merchant.close()]);
});

const amountMinor = 12_345n;
const silent = { raw: null, code: null, message: null };
const PAID: Answers = {
  send: ({ extId }) => ({
    ...silent,
    kind: 'accepted',
    extId,
    amountMinor,
    feeMinor: 320n,
    requestId: '7001',
    transactionId: null,
  }),
  read: ({ extId }) => ({ ...found('completed'), extId, amountMinor, requestId: '7001' }),
  ledger: ({ extId }) => ({ kind: 'listed', raw: '{}', lines: [debit({ extId, amountMinor })] }),
};

async function store(): Promise<string> {
  const id = randomUUID();
  const content = {
    wallet: '1000000001',
    iban: testIban(),
    name: 'Ayşe Yılmaz',
    taxNumber: '10000000146',
    toWallet: null,
    foundBy: null,
    foundName: null,
    amountMinor,
    currency: 'TRY',
    paymentType: '1',
    description: 'kira',
  };
  await web.db.inTransaction(merchant.merchantId, (tx) =>
    submit.storeIntent(tx, merchant.person('clerk'), {
      id,
      kind: STANDING_ORDER,
      content,
      overrides: [],
      overrideReason: null,
      retryOf: null,
    }),
  );
  return id;
}

/** One step of the worker, whatever the time of the next check. */
async function step(
  id: string,
  kinds: ReturnType<typeof workerKinds>,
): Promise<Awaited<ReturnType<typeof rowOf>>> {
  await setColumns(merchant, id, { next_at: new Date(Date.now() - 1_000) });
  await worker.advance.advanceOne({ ...fakePorts(merchant.merchantId, fakeProvider()), kinds });
  return rowOf(merchant, id);
}

async function pageOf(id: string) {
  const shown = await view.viewMovement(merchant.person('clerk'), id);
  if (shown === null) throw new Error('it has no page');
  return shown;
}

/** The text of a movement's page as first rendered, without its HTML tags. */
function drawn(shown: MovementView, locale: Locale): string {
  const html = renderToString(
    <NextIntlClientProvider locale={locale} timeZone="Europe/Istanbul" messages={MESSAGES[locale]}>
      <MovementIsland view={shown} walletName="Ana kasa" paymentType="Kira" approval={null} />
    </NextIntlClientProvider>,
  );
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

test('a made-up kind is stored, claimed, sent once, read, ended and shown, by its row alone', async () => {
  const { kind, requests } = standingOrderKind(PAID);
  const kinds = workerKinds([kind]);
  const id = await store();
  expect(wordOf(await pageOf(id))).toBe('APPROVED');

  expect(await step(id, kinds)).toMatchObject({ state: 'PENDING', request_id: '7001' });
  const pending = await pageOf(id);
  expect([wordOf(pending), toneOf(pending)]).toEqual(['LEDGER_PENDING', 'progress']);
  expect(movementAddress(pending)).toBe(`/standing-orders/${id}`);
  const waiting = drawn(pending, 'tr');
  for (const words of ['₺123,45', 'Hesap hareketi bekleniyor', 'Ayşe Yılmaz', 'Ana kasa'])
    expect(waiting).toContain(words);

  expect((await step(id, kinds)).state).toBe('COMPLETED');
  expect((await step(id, kinds)).transaction_id).toBe(debit().transactionId);
  expect(requests).toEqual(['send', 'read', 'ledger']);

  const ended = await pageOf(id);
  expect(ended).toMatchObject({ state: 'COMPLETED', amount: '123.45', fee: '3.20' });
  expect(timelineNodes(ended).map(({ code }) => code)).toContain('ledger_seen');
  const paid = drawn(ended, 'en');
  for (const words of ['₺123.45', 'Completed', 'Ledger entry visible', 'Fee ₺3.20', '7001'])
    expect(paid).toContain(words);
  const { rows } = await merchant.owner.query(
    `SELECT (SELECT count(*)::int FROM receipts WHERE movement_id = $1) AS receipts,
      (SELECT count(*)::int FROM attempts WHERE movement_id = $1) AS attempts,
      (SELECT count(*)::int FROM recipient_payees p JOIN movements m ON m.iban = p.number
        WHERE m.id = $1) AS payees`,
    [id],
  );
  expect(rows).toEqual([{ receipts: 1, attempts: 1, payees: 1 }]);
});

test('a made-up kind whose provider knows no ids is never sent twice after a lost answer', async () => {
  const { kind, requests } = standingOrderKind({
    ...PAID,
    send: () => ({ ...silent, kind: 'unclear', why: 'timeout' }),
    read: () => ({ kind: 'not_found', raw: '{}' }),
  });
  const kinds = workerKinds([kind]);
  const id = await store();
  expect((await step(id, kinds)).state).toBe('UNKNOWN');
  // The send is so long ago that the same id would be sent again, if the provider knew ids.
  await setColumns(merchant, id, { last_send_at: new Date(Date.now() - 3 * 60 * 60_000) });
  for (let n = 0; n < 5; n++) expect((await step(id, kinds)).state).toBe('UNKNOWN');
  expect(requests).toEqual(['send', 'read', 'read', 'read', 'read', 'read']);
});

test('a worker that does not know the kind leaves it in the queue', async () => {
  const id = await store();
  expect((await step(id, workerKinds([]))).state).toBe('APPROVED');
});

test('lists of kinds are made from the table', () => {
  expect(kindsWhere(({ list }) => list === 'payouts')).toContain(STANDING_ORDER);
});
