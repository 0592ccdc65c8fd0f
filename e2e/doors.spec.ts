import { randomUUID } from 'node:crypto';
import { expect, test } from './story.ts';
import type { Permission } from '#lib/access/actor.ts';
import { readBuild } from './build.ts';
import { callAction, cookieOf, type Call } from './call-action.ts';
import { rows } from './database.ts';
import { newIban, newPayee, newTaxNumber } from './payee.ts';
import { processes } from './processes.ts';
import { send, wanted } from './payout.ts';
import { PASSWORD, signIn } from './sign-in.ts';
import {
  cardOf,
  planOf,
  chargeOf,
  differenceOf,
  archiveOf,
  closableDay,
  exportOf,
  failedTopUpOf,
  foreignRecord,
  heldOf,
  ledgerLineOf,
  recipientOf,
  strangersThings,
  unclearWallet,
  viewOf,
  type Strangers,
} from './stranger.ts';
import { BASE_URL, BASE_URL_2 } from './surroundings.ts';
import { kept, knock } from './webhook-door.ts';

type Probe = {
  call: Call;
  /** Whether a permitted call changes the database: proof that the probe works. */
  leavesTrace: boolean;
  /** The permission that the read-only role lacks. */
  needs?: Permission;
  /** Open to that role. */
  openToSupport?: true;
  /** The permitted caller when it is not the owner: the second of two people. */
  second?: true;
};
type Headers = Record<string, string>;

/** Every action of the build needs a probe here: a new action without one fails this test. */
function probes(ids: Strangers, day = '2026-01-01'): Record<string, Probe> {
  // Another name each time: a second similar payee would need a reason.
  const { name } = newPayee();
  const amount = `${50 + Math.floor(Math.random() * 900)},00`;
  const payout = {
    id: randomUUID(),
    locale: 'tr',
    wallet: '4410270001',
    iban: newIban(),
    name,
    taxNumber: newTaxNumber(),
    amount,
    paymentType: '06',
    description: 'x',
  };
  const transfer = {
    id: randomUUID(),
    locale: 'tr',
    kind: 'transfer_business',
    wallet: '4410270001',
    toWallet: '4488810801',
    name,
    amount,
    paymentType: '06',
    description: 'x',
  };
  const charge = {
    locale: 'tr',
    kind: 'three_d',
    currency: 'TRY',
    total: '10,00',
    description: 'Kapı',
    items: [{ name: 'Kapı', description: '', price: '10,00', quantity: '1' }],
    name: 'Elif',
    surname: 'Şahin',
    email: '',
    phone: '',
    address1: '',
    address2: '',
    city: '',
    state: '',
    postcode: '',
    country: '',
    installments: '1',
    commissionBy: null,
    cardProgram: null,
    hold: false,
    verifyFirst: false,
    recurring: false,
    recurringCount: '',
    recurringCycle: 'month',
    recurringInterval: '',
    insurance: false,
    identityNumber: '',
    agriculture: false,
    maturityPeriod: '',
    paymentFrequency: '',
    customerNumber: '',
    savedCard: '',
  };
  return {
    sendPayout: {
      call: { form: payout, hasState: false },
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    sendTransfer: {
      call: { form: transfer, hasState: false },
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    lookUpPerson: {
      call: {
        args: [{ key: { by: 'phone', country: '90', phone: '5330000201' }, currency: 'TRY' }],
      },
      leavesTrace: false,
      needs: 'payout.prepare',
    },
    lookUpPayee: {
      call: {
        args: [
          {
            kind: 'transfer_business',
            toWallet: transfer.toWallet,
            name: transfer.name,
            wallet: transfer.wallet,
          },
        ],
      },
      leavesTrace: false,
      needs: 'payout.prepare',
    },
    cancelOwnMovement: { call: { args: [ids.payout] }, leavesTrace: true, needs: 'payout.cancel' },
    acknowledgeFlag: {
      call: {
        form: { id: ids.payout, alert: 'contradiction', reason: 'Kapı deneyi: gördüm' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'alert.acknowledge',
    },
    // Its alert is what the home page lists; the outcome behind it has no mark of its own.
    seeOutcome: {
      call: { form: { id: ids.payout }, hasState: true },
      leavesTrace: false,
      needs: 'payout.prepare',
    },
    submitMovementStatement: {
      call: {
        form: { id: ids.payout, claim: 'taken', reason: 'Kapı deneyi: panel', reference: '' },
        hasState: true,
      },
      leavesTrace: false,
      needs: 'payout.prepare',
    },
    askAboutMovement: { call: { args: [ids.payout] }, leavesTrace: false, openToSupport: true },
    lookUpRecipient: {
      call: {
        args: [
          {
            iban: payout.iban,
            name: payout.name,
            taxNumber: payout.taxNumber,
            wallet: payout.wallet,
          },
        ],
      },
      leavesTrace: false,
      needs: 'payout.prepare',
    },
    findRecipients: { call: { args: ['a'] }, leavesTrace: false, needs: 'payout.prepare' },
    lookForNewWallet: {
      call: { form: { id: ids.wallet }, hasState: true },
      leavesTrace: false,
      needs: 'wallet.create',
    },
    giveUpNewWallet: {
      call: { form: { id: ids.wallet }, hasState: true },
      leavesTrace: true,
      needs: 'wallet.create',
    },
    // After the unclear request is resolved: while it is open, no other is accepted.
    openWallet: {
      call: {
        form: { id: randomUUID(), name: `Kapı ${Date.now()}`, currency: 'TRY' },
        hasState: false,
      },
      leavesTrace: true,
      needs: 'wallet.create',
    },
    saveRecipient: {
      call: {
        form: { id: ids.recipient, name: `Kapı ${Date.now()}`, taxNumber: newTaxNumber() },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'recipient.edit',
    },
    redirectAccount: {
      call: { form: { id: ids.recipient, number: newIban() }, hasState: true },
      leavesTrace: true,
      needs: 'recipient.redirect',
    },
    archiveSaved: {
      call: { form: { id: ids.recipient, archived: 'yes' }, hasState: true },
      leavesTrace: true,
      needs: 'recipient.edit',
    },
    readWalletsAgain: { call: { args: [] }, leavesTrace: false },
    askAgain: {
      call: { form: { id: ids.receipt }, hasState: true },
      leavesTrace: false,
      openToSupport: true,
    },
    wantReceiptOf: {
      call: { form: { record: ids.line }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
    },
    makeArchive: {
      call: { form: { filter: '', template: 'full', profile: 'csv' }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
    },
    askForMissing: { call: { form: { id: ids.archive }, hasState: true }, leavesTrace: true },
    replay: {
      call: { form: { id: ids.notice }, hasState: true },
      leavesTrace: true,
      needs: 'notice.replay',
    },
    choosePreference: {
      call: { form: { locale: 'en', theme: 'dark' }, hasState: false },
      leavesTrace: false,
    },
    erasePersonalData: {
      call: { form: { personId: ids.person, reason: 'a reason long enough' }, hasState: true },
      leavesTrace: true,
      needs: 'audit.erase',
    },
    // These need sending not to be stopped; and a plan must not have an open charge yet, which
    // locks it.
    addPlanCodes: {
      call: { form: { orders: 'KAPI-PLAN' }, hasState: true },
      leavesTrace: true,
      needs: 'card.add',
    },
    askAboutOnePlan: {
      call: { form: { plan: ids.plan }, hasState: true },
      leavesTrace: false,
      openToSupport: true,
    },
    switchPlan: {
      call: { form: { plan: ids.plan, status: 'inactive' }, hasState: true },
      leavesTrace: true,
      needs: 'card.plan',
    },
    changeTerms: {
      call: {
        form: {
          plan: ids.plan,
          currency: 'TRY',
          amount: '2,00',
          amountBefore: '100',
          payments: '',
          paymentsBefore: '',
        },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'card.plan',
    },
    chargePlanNow: {
      call: {
        form: { id: randomUUID(), plan: ids.plan, amount: '1.00', number: '', taken: '0' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'card.plan',
    },
    submitChargeStatement: {
      call: {
        form: {
          id: randomUUID(),
          claim: 'done',
          reason: 'Kapı deneyi: yazdılar',
          reference: 'KAPI-1',
        },
        hasState: true,
      },
      leavesTrace: false,
      needs: 'card.plan',
    },
    seeContradiction: {
      call: { form: { plan: ids.plan, reason: 'Kapı deneyi: gördüm' }, hasState: true },
      leavesTrace: false,
      needs: 'alert.acknowledge',
    },
    startCharge: {
      call: { args: [{ ...charge, id: randomUUID() }] },
      leavesTrace: true,
      needs: 'card.charge',
    },
    lookUpInstallments: {
      call: {
        args: [
          {
            prefix: '',
            amount: '10,00',
            locale: 'tr',
            currency: 'TRY',
            recurring: false,
            nonSecure: false,
            commissionBy: null,
          },
        ],
      },
      leavesTrace: false,
      needs: 'card.charge',
    },
    findSavedCards: { call: { args: ['70021'] }, leavesTrace: false, needs: 'card.charge' },
    sendTypedCard: {
      call: {
        form: {
          id: ids.charge,
          holder: 'Kapı',
          number: '4508034508034509',
          month: '12',
          year: '2031',
          code: '000',
        },
        hasState: false,
      },
      leavesTrace: true,
      needs: 'card.charge',
    },
    // For another payment method, so that a permitted call finds nothing to do.
    sendSavedCard: { call: { args: [ids.charge] }, leavesTrace: false, needs: 'card.charge' },
    completeVerified: {
      call: { form: { id: ids.charge, what: 'complete' }, hasState: true },
      leavesTrace: false,
      needs: 'card.charge',
    },
    askLinkAgain: {
      call: { form: { id: ids.charge }, hasState: true },
      leavesTrace: false,
      needs: 'card.charge',
    },
    stopSendingNow: {
      call: { form: { kind: 'payout', reason: 'Kapı deneyi: durdur' }, hasState: true },
      leavesTrace: true,
      needs: 'sending.control',
    },
    takeBackLettingGo: {
      call: {
        form: { kind: 'payout', cause: 'person', reason: 'Kapı deneyi: henüz değil' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'sending.control',
    },
    askToLetGo: {
      call: {
        form: { kind: 'payout', cause: 'person', reason: 'Kapı deneyi: sürdür' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'sending.control',
    },
    letSendingGo: {
      call: { form: { kind: 'payout', cause: 'person' }, hasState: true },
      leavesTrace: true,
      needs: 'sending.control',
      second: true,
    },
    lookAtRecord: {
      call: { form: { id: ids.record, reason: 'Kapı deneyi: gördüm' }, hasState: true },
      leavesTrace: true,
      needs: 'sending.control',
    },
    beginRecoveryNow: {
      call: { form: { reason: 'Kapı deneyi: yedek' }, hasState: true },
      leavesTrace: true,
      needs: 'sending.control',
    },
    sendHeld: {
      call: { form: { id: ids.held }, hasState: true },
      leavesTrace: true,
      needs: 'sending.control',
    },
    // After "send it" was pressed, so that these tests send nothing.
    cancelHeld: {
      call: { form: { id: ids.held, kind: 'payout' }, hasState: true },
      leavesTrace: true,
      needs: 'payout.cancel',
    },
    acknowledge: {
      call: { form: { id: ids.difference, reason: 'Kapı deneyi: gördüm' }, hasState: true },
      leavesTrace: true,
      needs: 'alert.acknowledge',
    },
    addOrders: {
      call: { form: { orders: 'KAPI-1', heldOn: '' }, hasState: true },
      leavesTrace: true,
      needs: 'card.add',
    },
    saveNewCard: {
      call: {
        form: {
          customer: '900719',
          holder: 'Kapı Deneyi',
          number: '5406675406675403',
          month: '12',
          year: '2031',
        },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'card.saved',
    },
    editSavedCard: {
      call: {
        form: { customer: '900719', handle: 'x', month: '12', year: '2031', holder: '' },
        hasState: true,
      },
      leavesTrace: false,
      needs: 'card.saved',
    },
    deleteSavedCard: {
      call: { form: { customer: '900719', handle: 'x' }, hasState: true },
      leavesTrace: false,
      needs: 'card.saved',
    },
    askAboutCard: {
      call: { form: { id: ids.card }, hasState: true },
      leavesTrace: false,
      openToSupport: true,
    },
    seeReminder: {
      call: { form: { id: ids.card }, hasState: true },
      leavesTrace: true,
      needs: 'card.capture',
    },
    makeLinkInPanel: {
      call: {
        form: {
          product: `Kapı ${Date.now()}`,
          amount: '10,00',
          currency: 'TRY',
          use: 'single',
          locale: 'tr',
        },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'card.charge',
    },
    sendLinkFromPanel: {
      call: {
        form: { id: '999999999', use: 'single', way: 'email', to: 'kapi@example.test' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'card.charge',
    },
    makeHash: {
      call: { form: { subject: 'refund', amount: '10.00', invoice_id: 'KAPI-1' }, hasState: true },
      leavesTrace: true,
      needs: 'card.tools',
    },
    checkHash: {
      call: {
        form: { subject: 'refund', hashKey: 'x', amount: '10.00', invoice_id: 'KAPI-1' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'card.tools',
    },
    lookAtPayment: { call: { args: [ids.card] }, leavesTrace: false, openToSupport: true },
    capturePayment: {
      call: { form: { id: randomUUID(), paymentId: ids.card, amount: '1.00' }, hasState: false },
      leavesTrace: false,
      needs: 'card.capture',
    },
    releasePayment: {
      call: {
        form: { id: randomUUID(), paymentId: ids.card, reason: 'Kapı deneyi' },
        hasState: false,
      },
      leavesTrace: false,
      needs: 'card.capture',
    },
    refundPayment: {
      call: {
        form: { id: randomUUID(), paymentId: ids.card, amount: '1.00', reason: 'Kapı deneyi' },
        hasState: false,
      },
      leavesTrace: false,
      needs: 'card.refund',
    },
    nameDay: {
      call: { form: { paymentId: ids.card, heldOn: '2026-01-01' }, hasState: true },
      leavesTrace: true,
      needs: 'card.capture',
    },
    exportWithdrawals: {
      call: { form: { filter: '?from=2026-01-01&to=2026-01-02', profile: 'csv' }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
    },
    exportPayouts: {
      call: { form: { filter: '?view=completed', profile: 'csv' }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
    },
    exportTransactions: {
      call: { form: { filter: '?type=payout', profile: 'csv' }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
    },
    closeWalletDays: {
      call: {
        form: { wallet: '4410270001', through: day, reason: 'Kapı deneyi: gün kapandı' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'day.close',
    },
    keepView: {
      call: {
        form: { list: 'withdrawals', name: `Kapı ${Date.now()}`, address: 'level=completed' },
        hasState: true,
      },
      leavesTrace: true,
      openToSupport: true,
    },
    dropView: { call: { form: { id: ids.view }, hasState: true }, leavesTrace: true },
    closeCase: {
      call: {
        form: {
          id: ids.topUp,
          lastAt: '2026-01-01T00:00:00.000Z',
          reason: 'Kapı deneyi: gönderen arandı',
        },
        hasState: true,
      },
      leavesTrace: true,
      openToSupport: true,
    },
    deleteExport: { call: { form: { id: ids.export }, hasState: true }, leavesTrace: true },
    endOneSession: { call: { form: { id: ids.session }, hasState: true }, leavesTrace: true },
  };
}

/**
 * Every route of the build: its response to a request without a session that comes from our own
 * page.
 */
const ROUTES: Record<
  string,
  [method: string, path: (ids: Strangers) => string, status: number | number[]][]
> = {
  '/api/auth/[...nextauth]': [
    ['POST', () => '/api/auth/callback/credentials', 302],
    ['POST', () => '/api/auth/signout', 404],
    ['POST', () => '/api/auth/signin/credentials', 404],
    ['POST', () => '/api/auth/session', 404],
    ['GET', () => '/api/auth/session', 404],
    ['GET', () => '/api/auth/providers', 404],
    ['GET', () => '/api/auth/signin', 404],
    ['GET', () => '/api/auth/csrf', 200],
  ],
  // Public, and nothing in the request is trusted.
  '/api/cards/return': [
    ['GET', () => '/api/cards/return?invoice_id=NOBODY', 303],
    ['POST', () => '/api/cards/return', 303],
    ['DELETE', () => '/api/cards/return', 405],
  ],
  '/api/events': [
    ['GET', () => '/api/events', 401],
    ['POST', () => '/api/events', 405],
  ],
  '/api/health/live': [
    ['GET', () => '/api/health/live', 200],
    ['POST', () => '/api/health/live', 405],
  ],
  '/api/health/ready': [
    ['GET', () => '/api/health/ready', [200, 503]],
    ['POST', () => '/api/health/ready', 405],
  ],
  '/api/payouts': [
    ['GET', () => '/api/payouts?q=a', 401],
    ['POST', () => '/api/payouts', 405],
  ],
  '/api/movements/[id]': [
    ['GET', ({ payout }) => `/api/movements/${payout}`, 401],
    ['POST', ({ payout }) => `/api/movements/${payout}`, 405],
  ],
  // Internal: the request filter answers with this route; its own address is not served.
  '/api/refused/[status]': [
    ['GET', () => '/api/refused/200', 404],
    ['GET', () => '/api/refused/413', 413],
    ['POST', () => '/api/refused/413', 405],
  ],
  '/api/search': [
    ['POST', () => '/api/search', 401],
    ['GET', () => '/api/search', 405],
  ],
  '/api/sign-in': [
    ['GET', () => '/api/sign-in', 405],
    ['POST', () => '/api/sign-in', 400],
  ],
  '/api/sign-out': [
    ['GET', () => '/api/sign-out', 405],
    ['POST', () => '/api/sign-out', 400],
  ],
  '/api/waiting': [
    ['GET', () => '/api/waiting', 401],
    ['POST', () => '/api/waiting', 405],
  ],
  '/api/webhooks/[key]/[channel]': [
    ['POST', () => '/api/webhooks/guess/wallet', 404],
    ['GET', () => '/api/webhooks/guess/wallet', 405],
  ],
  '/audit/checkpoints': [
    ['GET', () => '/audit/checkpoints', 401],
    ['POST', () => '/audit/checkpoints', 405],
  ],
  '/audit/export': [
    ['GET', () => '/audit/export', 401],
    ['POST', () => '/audit/export', 405],
  ],
  '/reports/exports/[id]/file': [
    ['GET', ({ export: id }) => `/reports/exports/${id}/file`, 401],
    ['POST', ({ export: id }) => `/reports/exports/${id}/file`, 405],
  ],
  '/receipts/archives/[id]/file': [
    ['GET', ({ archive }) => `/receipts/archives/${archive}/file`, 401],
    ['POST', ({ archive }) => `/receipts/archives/${archive}/file`, 405],
  ],
  '/receipts/[id]/raw': [
    ['GET', ({ receipt }) => `/receipts/${receipt}/raw`, 401],
    ['DELETE', ({ receipt }) => `/receipts/${receipt}/raw`, 405],
  ],
};

/** Routes that change something for a valid cookie, and the response to a permitted call. */
const CHANGING: [path: string, body: object][] = [
  ['/api/sign-out', { everywhere: true }],
  ['/api/sign-in', { step: 'start', email: 'ayse@demo.test', password: PASSWORD }],
  ['/api/auth/callback/credentials', { code: '000000' }],
];

const OWN: Headers = { origin: BASE_URL, 'sec-fetch-site': 'same-origin' };
/** Requests that another site, or a man in the middle, can make in a person's own browser. */
const ELSEWHERE: [who: string, headers: Headers][] = [
  ['from another site', { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }],
  ['from another site, without Fetch-Metadata', { origin: 'https://evil.test' }],
  [
    'from another site behind a bent proxy',
    { origin: 'https://evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' },
  ],
  ['without any origin', {}],
  ['without an origin, from another site', { 'sec-fetch-site': 'cross-site' }],
  ['with the other scheme', { origin: BASE_URL.replace('http:', 'https:') }],
  [
    'with the other scheme, said by a bent proxy too',
    { origin: BASE_URL.replace('http:', 'https:'), 'x-forwarded-proto': 'https' },
  ],
  ['from another port', { origin: BASE_URL_2, 'sec-fetch-site': 'same-site' }],
  ['from nowhere', { origin: 'null' }],
  ['from nowhere, a sister of ours', { origin: 'null', 'sec-fetch-site': 'same-site' }],
];

test.describe('the doors of the build', () => {
  test.setTimeout(120_000);
  test.beforeEach(() => processes.stop('worker'));
  test.afterEach(async () => {
    // Removes the recovery that a probe started: another test covers the worker starting one. No
    // permission of the product allows this.
    const forget = (table: string) =>
      `ALTER TABLE ${table} DISABLE TRIGGER USER; DELETE
        FROM ${table}; ALTER TABLE ${table} ENABLE TRIGGER USER`;
    await rows(
      ['send_switches', 'recovered_records', 'recoveries', 'differences'].map(forget).join(';'),
    );
    await processes.start('worker');
  });

  test('every action refuses strangers, other origins and lesser roles, and works when rightly called', async ({
    sitDown,
  }) => {
    await knock('a note behind the door');
    const payout = await send(await sitDown('ayse'), wanted());
    await rows(`UPDATE movements SET alert = 'contradiction' WHERE id = $1`, [payout]);
    const owner = await cookieOf(await sitDown('selin'));
    const second = await cookieOf(await sitDown('mehmet'));
    const support = await cookieOf(await sitDown('can'));
    const [receipt] = await rows<{ id: string }>('SELECT id FROM receipts LIMIT 1');
    const [clerk] = await rows<{ id: string; merchant_id: string }>(
      `SELECT id, merchant_id FROM people WHERE email = 'ayse@demo.test'`,
    );
    const [owning] = await rows<{ id: string }>(
      `SELECT id FROM people WHERE email = 'selin@demo.test'`,
    );
    const table = probes(
      {
        payout,
        notice: (await kept('a note behind the door'))!.id,
        receipt: receipt?.id ?? randomUUID(),
        session: await spareSession(),
        person: clerk!.id,
        record: await foreignRecord(clerk!.merchant_id),
        export: await exportOf(clerk!.merchant_id, owning!.id),
        line: await ledgerLineOf(clerk!.merchant_id),
        archive: await archiveOf(clerk!.merchant_id, owning!.id),
        topUp: await failedTopUpOf(clerk!.merchant_id),
        wallet: await unclearWallet(clerk!.merchant_id, owning!.id),
        difference: await differenceOf(clerk!.merchant_id),
        card: await cardOf(clerk!.merchant_id),
        plan: await planOf(clerk!.merchant_id),
        charge: await chargeOf(clerk!.merchant_id, owning!.id),
        recipient: await recipientOf(clerk!.merchant_id),
        view: await viewOf(clerk!.merchant_id, owning!.id),
        held: await heldOf(clerk!.merchant_id, clerk!.id, 'Held Payee'),
      },
      await closableDay(clerk!.merchant_id),
    );
    const { actions } = await readBuild();
    expect(Object.keys(actions).sort(), 'actions of the build and probes of this story').toEqual(
      Object.keys(table).sort(),
    );
    const callers: [who: string, headers: Headers][] = [
      ['nobody', OWN],
      ['nobody with an invented cookie', { ...OWN, cookie: 'sid=eyJhbGciOiJkaXIifQ..x.y.z' }],
      ...ELSEWHERE.map(([who, headers]): [string, Headers] => [
        `the owner ${who}`,
        { ...headers, cookie: owner },
      ]),
    ];
    const before = await everything();
    for (const [who, headers] of callers) {
      for (const [name, { call }] of Object.entries(table)) {
        const answer = await callAction(actions[name]!, call, headers);
        // Language and theme need no permission; but from another site not even they change.
        if (who.startsWith('the owner'))
          expect(
            answer.headers.get('set-cookie') ?? '',
            `${name}, called by ${who}, sets a cookie`,
          ).not.toMatch(/(^|, )(locale|theme|sid)=/);
        expect(
          answer.headers.get('x-action-redirect') ?? '',
          `${name}, called by ${who}`,
        ).not.toContain('/payouts/');
      }
      expect(await everything(), `what ${who} changed`).toEqual(before);
    }
    const trail = await trailEnd();
    for (const [name, { call, openToSupport }] of Object.entries(table))
      if (openToSupport === undefined)
        await callAction(actions[name]!, call, { ...OWN, cookie: support });
    expect(withoutTrail(await everything()), 'what the person who may only look changed').toEqual(
      withoutTrail(before),
    );
    expect(await refusedRights(trail), 'what the trail says of it').toEqual(
      new Set(Object.values(table).flatMap(({ needs }) => needs ?? [])),
    );

    // The same calls, made with permission, take effect: so the refusals above were refusals.
    for (const [name, { call, second: bySecond }] of Object.entries(table).filter(
      ([, probe]) => probe.leavesTrace,
    )) {
      const untouched = await everything();
      const answer = await callAction(actions[name]!, call, {
        ...OWN,
        cookie: bySecond ? second : owner,
      });
      expect(
        await everything(),
        `${name}, called rightly (${answer.status} ${(await answer.text()).slice(-300)}), leaves a trace`,
      ).not.toEqual(untouched);
    }
  });

  test('the data of another merchant and the sessions of another person are out of reach of all actions', async ({
    sitDown,
  }) => {
    const owner = await cookieOf(await sitDown('selin'));
    await sitDown('deniz');
    const [colleague] = await rows<{ id: string }>(
      `SELECT s.id FROM sessions s JOIN people p ON p.id = s.person_id
        WHERE p.email = 'deniz@demo.test' AND s.revoked_at IS NULL LIMIT 1`,
    );
    const foreign = await strangersThings();
    const { actions } = await readBuild();
    const before = await everything();
    for (const ids of [foreign, { ...foreign, session: colleague!.id }]) {
      for (const [name, { call }] of Object.entries(probes(ids)).filter(([, probe]) =>
        JSON.stringify(probe.call).match(
          new RegExp(
            Object.values(ids)
              .map((id) => `"${id}"`)
              .join('|'),
          ),
        ),
      )) {
        const answer = await (
          await callAction(actions[name]!, call, { ...OWN, cookie: owner })
        ).text();
        expect(answer, `${name} with an id that is not one's own`).not.toContain('Foreign');
      }
    }
    for (const path of [
      `/api/movements/${foreign.payout}`,
      `/receipts/${foreign.receipt}/raw`,
      `/receipts/${foreign.receipt}/raw?download=1`,
      `/reports/exports/${foreign.export}/file`,
      `/receipts/archives/${foreign.archive}`,
      `/receipts/archives/${foreign.archive}/file`,
      `/payouts/${foreign.payout}`,
      `/receipts/${foreign.receipt}`,
      `/recipients/${foreign.recipient}`,
      `/money-in/failed/${foreign.topUp}`,
      `/cards/payments/${foreign.card}`,
      `/cards/recurring/${foreign.plan}`,
    ]) {
      const answer = await fetch(`${BASE_URL}${path}`, {
        headers: { cookie: owner, 'sec-fetch-site': 'same-origin' },
      });
      expect(answer.status, path).toBe(404);
      expect(await answer.text(), path).not.toMatch(/foreign/i);
    }
    expect(await everything(), 'what the owner of another merchant reached').toEqual(before);
  });

  test('every route answers a request without a session properly, and every page redirects to sign-in', async () => {
    const ids = await strangersThings();
    const { routes, pages } = await readBuild();
    expect(routes, 'routes of the build and of this story').toEqual(Object.keys(ROUTES).sort());
    const before = await everything();
    for (const [method, path, status] of Object.values(ROUTES).flat()) {
      const answer = await fetch(`${BASE_URL}${path(ids)}`, {
        method,
        redirect: 'manual',
        headers: { ...OWN, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      expect([status].flat(), `${method} ${path(ids)}`).toContain(answer.status);
      expect(answer.headers.get('set-cookie') ?? '', `${method} ${path(ids)}`).not.toMatch(
        /(^|, )sid=\S/,
      );
      await answer.body?.cancel();
    }
    for (const page of pages.filter(
      (one) => !['/login', '/_not-found', '/_global-error'].includes(one),
    )) {
      const path = page
        .replace('[number]', '4410270001')
        .replace('[id]', ids.payout)
        .replace('[day]', '2026-01-01');
      const answer = await fetch(`${BASE_URL}${path}`, {
        redirect: 'manual',
        headers: { 'sec-fetch-dest': 'document' },
      });
      expect([answer.status, answer.headers.get('location')?.split('?')[0]], path).toEqual([
        307,
        '/login',
      ]);
      expect(await answer.text(), path).not.toMatch(/foreign|4488810001/i);
    }
    expect(await everything(), 'what somebody without a session changed').toEqual(before);
  });

  test('every changing route refuses other origins and non-JSON, and works when rightly called', async ({
    openDesk,
    sitDown,
  }) => {
    const owner = await cookieOf(await sitDown('selin'));
    const { page, context } = await openDesk();
    await page.goto('/login?next=/settings');
    await signIn(page, 'tr', 'can');
    const cookie = await cookieOf({ context });
    const before = await everything();
    const challenges = async () => (await rows('SELECT 1 FROM login_challenges')).length;
    const challengesBefore = await challenges();
    for (const [path, body] of CHANGING) {
      const post = (headers: Headers) =>
        fetch(`${BASE_URL}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie, ...headers },
          body: JSON.stringify(body),
        });
      for (const [who, headers] of ELSEWHERE) {
        const answer = await post(headers);
        expect(answer.status, `${path}, ${who}`).toBe(403);
        expect(answer.headers.get('set-cookie') ?? '', `${path}, ${who}`).toBe('');
      }
      if (path.startsWith('/api/sign-'))
        expect(
          (await post({ ...OWN, 'content-type': 'text/plain' })).status,
          `${path} as text`,
        ).toBe(403);
    }
    const [file] = await rows<{ id: string }>(
      `SELECT id FROM receipts WHERE state = 'READY' LIMIT 1`,
    );
    const trail = await trailEnd();
    for (const path of [
      `/receipts/${file?.id ?? randomUUID()}/raw?download=1`,
      `/reports/exports/${randomUUID()}/file`,
      `/receipts/archives/${randomUUID()}/file`,
      '/audit/export',
      '/audit/checkpoints',
    ]) {
      for (const site of ['cross-site', 'same-site']) {
        const answer = await fetch(`${BASE_URL}${path}`, {
          headers: { cookie: path.startsWith('/audit') ? owner : cookie, 'sec-fetch-site': site },
        });
        expect(answer.status, `${path}, asked for ${site}`).toBe(403);
      }
      // Not a public download: the read-only role is refused.
      if (path.startsWith('/audit'))
        expect((await fetch(`${BASE_URL}${path}`, { headers: { cookie } })).status, path).toBe(403);
    }
    expect(withoutTrail(await everything()), 'what the routes changed').toEqual(
      withoutTrail(before),
    );
    expect(await refusedRights(trail), 'what the trail says of it').toContain('audit.export');
    expect(await challenges(), 'challenges').toBe(challengesBefore);
    const rightly = (path: string, body: object) =>
      fetch(`${BASE_URL}${path}`, {
        method: 'POST',
        headers: { ...OWN, cookie, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await rightly(...CHANGING[1]!)).status).toBe(200);
    expect(await challenges()).toBe(challengesBefore + 1);
    expect((await rightly(...CHANGING[0]!)).status).toBe(204);
    expect(await everything()).not.toEqual(before);
  });
});

/**
 * Counters, snapshots and heartbeats belong to no caller; the time of a session's last use grants
 * no right.
 */
const UNCOUNTED = [
  'rate_limits',
  'wallet_snapshots',
  'worker_heartbeats',
  'login_challenges',
  '_prisma_migrations',
];

/**
 * A digest of each table: what a caller without permission must not change. The worker is stopped,
 * so that nothing else changes them.
 */
async function everything(): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r'
      AND relnamespace = 'public'::regnamespace AND relname <> ALL ($1)`,
    [UNCOUNTED],
  );
  const digests = tables.map(
    ({ name }) =>
      `(SELECT md5(coalesce(string_agg(row, '|' ORDER BY row), ''))
        FROM (SELECT (to_jsonb(t) - 'last_seen_at')::text AS row FROM ${name} t) x) AS ${name}`,
  );
  const [row] = await rows<Record<string, string>>(`SELECT ${digests.join(', ')}`);
  return row!;
}

/** A refusal for lack of permission adds an entry to the audit trail, and nothing else. */
function withoutTrail({
  audit_entries: _entries,
  audit_heads: _heads,
  audit_personal: _personal,
  ...rest
}: Record<string, string>): Record<string, string> {
  return rest;
}

/** The permissions that were refused, by the audit trail. */
async function refusedRights(after: string): Promise<Set<string>> {
  const refused = await rows<{ permission: string }>(
    `SELECT DISTINCT body::jsonb #>> '{detail,permission}' AS permission FROM audit_entries
      WHERE seq > $1 AND action = 'session.not_allowed' AND body::jsonb #>> '{detail,role}' = 'support'`,
    [after],
  );
  return new Set(refused.map(({ permission }) => permission));
}

/** The number of the trail's newest entry: other tests are refused for that role too. */
async function trailEnd(): Promise<string> {
  const [row] = await rows<{ seq: string }>(
    'SELECT coalesce(max(seq), 0)::text AS seq FROM audit_entries',
  );
  return row!.seq;
}

/** A second session of the owner. */
async function spareSession(): Promise<string> {
  const [row] = await rows<{ id: string }>(
    `INSERT INTO sessions (id, merchant_id, person_id, token_hash, provider_sealed, expires_at)
      SELECT gen_random_uuid(), merchant_id, id, sha256(gen_random_uuid()::text::bytea), '',
      now() + interval '1 hour' FROM people WHERE email = 'selin@demo.test' RETURNING id`,
  );
  return row!.id;
}
