import { randomUUID } from 'node:crypto';
import { expect, test, type Desk } from './story.ts';
import { may } from '#lib/access/actor.ts';
import type { Permission, Role } from '#lib/access/actor.ts';
import { mayPass } from './authorization-page.ts';
import { readDoors } from './authorization-doors.ts';
import { readBuild } from './build.ts';
import { callAction, cookieOf, type Call } from './call-action.ts';
import { rows } from './database.ts';
import { newIban, newPayee, newTaxNumber } from './payee.ts';
import { batchOf, readyBatchOf, templateOf } from './foreign-batch.ts';
import { processes } from './processes.ts';
import { send, wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { PASSWORD, signIn } from './sign-in.ts';
import type { PersonName } from './sign-in.ts';
import {
  cardOf,
  planOf,
  chargeOf,
  colleagueOf,
  DIFFERENCE_RECORDED,
  differenceOf,
  archiveOf,
  closableDay,
  exportOf,
  failedTopUpOf,
  foreignRecord,
  heldOf,
  invitationOf,
  ledgerLineOf,
  notificationOf,
  paidPayeeOf,
  recipientOf,
  strangersThings,
  unclearWallet,
  viewOf,
  type Strangers,
} from './stranger.ts';
import { BASE_URL, BASE_URL_2 } from './surroundings.ts';
import { kept, postWebhook } from './webhook-door.ts';

type Probe = {
  call: Call;
  /** Whether a permitted call changes the database: proof that the probe works. */
  leavesTrace: boolean;
  /** The permission that the call requires: the column of docs/authorization-matrix.md. */
  needs?: Permission;
  /** Present where the read-only role may make the call, too. */
  openToSupport?: true;
  /** Present where the owner may not make the permitted call, because a second person has to. */
  second?: true;
};
type Headers = Record<string, string>;

/** Every action of the build needs a probe here: a new action without one fails this test. */
function probes(ids: Strangers, day = '2026-01-01'): Record<string, Probe> {
  // The name is new each time: a second payee with a similar name would need a reason.
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
  const ofBatch = (version: number, fields: Record<string, string>): Call => ({
    form: { id: ids.batch, version: `${version}`, ...fields },
    hasState: true,
  });
  const ofRun: Call = { form: { batch: ids.ready }, hasState: true };
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
    // A movement with an alert is listed by its alert, so its outcome cannot be marked as seen.
    seeOutcome: {
      call: { form: { id: ids.payout }, hasState: true },
      leavesTrace: false,
      needs: 'payout.prepare',
    },
    submitMovementStatement: {
      call: {
        form: { id: ids.payout, claim: 'taken', reason: 'Kapı deneyi: panel', reference: 'KAPI-1' },
        hasState: true,
      },
      leavesTrace: false,
      needs: 'payout.prepare',
    },
    checkPickedPayouts: {
      call: { form: { pick: ids.payout }, hasState: false },
      leavesTrace: false,
      openToSupport: true,
      needs: 'movement.ask',
    },
    askAboutMovement: {
      call: { args: [ids.payout] },
      leavesTrace: false,
      openToSupport: true,
      needs: 'movement.ask',
    },
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
    foreseeFormApprovals: {
      call: {
        args: [
          {
            id: payout.id,
            kind: 'payout',
            iban: payout.iban,
            toWallet: null,
            name: payout.name,
            amountMinor: '5000',
            wallet: payout.wallet,
            currency: 'TRY',
            retryOf: null,
          },
        ],
      },
      leavesTrace: false,
      needs: 'payout.prepare',
    },
    approveWaiting: {
      call: { form: { id: randomUUID(), seenHash: '' }, hasState: true },
      leavesTrace: false,
      needs: 'movement.approve',
    },
    approvePicked: {
      call: { form: { pick: `${randomUUID()} x`, count: '1' }, hasState: true },
      leavesTrace: false,
      needs: 'movement.approve',
    },
    overrideWaiting: {
      call: { form: { id: randomUUID(), seenHash: '', reason: 'Kapı' }, hasState: true },
      leavesTrace: false,
      needs: 'movement.override',
    },
    sendBackWaiting: {
      call: { form: { id: randomUUID(), seenHash: '', reason: 'Kapı' }, hasState: true },
      leavesTrace: false,
      needs: 'movement.approve',
    },
    askToSign: {
      call: {
        args: [
          { of: 'movement', picked: [{ id: randomUUID(), seenHash: '' }], purpose: 'approve' },
        ],
      },
      leavesTrace: false,
      needs: 'movement.approve',
    },
    // A person's own keys: every role has them.
    askForKey: { call: { args: [] }, leavesTrace: false, openToSupport: true },
    sendCode: {
      call: { args: [{ challengeId: randomUUID(), password: '' }] },
      leavesTrace: false,
      openToSupport: true,
    },
    startKey: { call: { args: [{}] }, leavesTrace: false, openToSupport: true },
    finishKey: { call: { args: [{}] }, leavesTrace: false, openToSupport: true },
    removeOwnKey: {
      call: { form: { id: randomUUID() }, hasState: true },
      leavesTrace: false,
      openToSupport: true,
    },
    reportLost: {
      call: { form: { id: randomUUID(), reason: 'Kapı' }, hasState: true },
      leavesTrace: false,
      needs: 'people.confirm',
    },
    // Not carried out: a policy would change what the other stories send.
    proposeRules: {
      call: { form: { rules: '', reason: 'Kapı' }, hasState: true },
      leavesTrace: false,
      needs: 'policy.propose',
    },
    confirmRules: {
      call: { form: { id: randomUUID() }, hasState: true },
      leavesTrace: false,
      needs: 'policy.confirm',
    },
    withdrawRules: {
      call: { form: { id: randomUUID(), reason: 'Kapı' }, hasState: true },
      leavesTrace: false,
      needs: 'policy.confirm',
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
    // This call comes after the one that resolves the unclear request: while that one is open, no
    // other wallet request is accepted.
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
    bringPayees: {
      call: { form: { ibans: ids.payee }, hasState: false },
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    // Each change names the version that the one before has made.
    changeCell: {
      call: ofBatch(1, { row: '0:2', field: 'name', how: 'type', text: 'Kapı Deneyi' }),
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    takeRow: {
      call: ofBatch(2, { row: '0:4', out: 'yes' }),
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    confirmRow: {
      call: ofBatch(3, { row: '0:2', keys: '["x"]', reason: 'separate_invoice' }),
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    confirmKind: {
      call: ofBatch(4, { code: 'duplicate', seen: 'x', reason: 'separate_invoice' }),
      leavesTrace: false,
      needs: 'payout.prepare',
    },
    chooseMeaning: {
      call: ofBatch(4, { column: '4', meaning: 'description', before: '' }),
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    changeTable: {
      call: ofBatch(5, { headings: '1' }),
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    saveSettings: {
      call: ofBatch(6, { paymentType: '06', description: 'Kapı deneyi' }),
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    splitOff: { call: ofBatch(7, {}), leavesTrace: true, needs: 'payout.prepare' },
    sendBatch: {
      call: {
        form: { batch: ids.ready, version: '1', seenHash: ids.seenHash ?? '' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    approve: {
      call: { form: { id: randomUUID(), seenHash: '' }, hasState: true },
      leavesTrace: false,
      needs: 'movement.approve',
    },
    override: {
      call: { form: { id: randomUUID(), seenHash: '', reason: 'Kapı' }, hasState: true },
      leavesTrace: false,
      needs: 'movement.override',
    },
    sendBack: {
      call: { form: { id: randomUUID(), seenHash: '', reason: 'Kapı' }, hasState: true },
      leavesTrace: false,
      needs: 'movement.approve',
    },
    repeatRows: {
      call: { form: { template: ids.template }, hasState: true },
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    keepRows: {
      call: { form: { batch: ids.ready, name: `Kapı ${ids.ready}`.slice(0, 40) }, hasState: true },
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    renameTemplateNow: {
      call: {
        form: { template: ids.template, name: `Kapı ${ids.template}`.slice(0, 40) },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    removeTemplate: {
      call: { form: { template: ids.template }, hasState: true },
      leavesTrace: true,
      needs: 'payout.prepare',
    },
    pause: { call: ofRun, leavesTrace: true, needs: 'payout.prepare' },
    resume: { call: ofRun, leavesTrace: true, needs: 'payout.prepare' },
    stop: { call: ofRun, leavesTrace: true, needs: 'payout.prepare' },
    retry: { call: ofRun, leavesTrace: true, needs: 'payout.prepare' },
    discard: { call: ofBatch(8, {}), leavesTrace: true, needs: 'payout.prepare' },
    dismissFirstSteps: {
      call: { form: {}, hasState: true },
      leavesTrace: true,
      needs: 'onboarding.dismiss',
    },
    restoreFirstSteps: {
      call: { form: {}, hasState: true },
      leavesTrace: true,
      needs: 'onboarding.dismiss',
    },
    readNotification: {
      call: { form: { id: ids.notification }, hasState: true },
      leavesTrace: true,
    },
    readAllNotifications: {
      call: { form: { until: '2100-01-01T00:00:00.000Z' }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
    },
    chooseChannels: {
      call: { form: { app: 'new_device', from: '', to: '' }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
    },
    addDevice: {
      call: {
        form: {
          endpoint: 'http://127.0.0.1:9/door',
          p256dh: `B${'a'.repeat(86)}`,
          auth: 'a'.repeat(22),
          identity: ids.identity ?? '',
        },
        hasState: true,
      },
      leavesTrace: ids.identity !== undefined,
      openToSupport: true,
    },
    removeDevice: {
      call: { form: { endpoint: 'http://127.0.0.1:9/door' }, hasState: true },
      leavesTrace: ids.identity !== undefined,
      openToSupport: true,
    },
    readWalletsAgain: { call: { args: [] }, leavesTrace: false, needs: 'wallet.read' },
    findStored: { call: { args: [ids.payout] }, leavesTrace: false, needs: 'movement.read' },
    askAgain: {
      call: { form: { id: ids.receipt }, hasState: true },
      leavesTrace: false,
      openToSupport: true,
      needs: 'movement.ask',
    },
    makePdf: {
      call: { form: { id: ids.receipt }, hasState: true },
      leavesTrace: false,
      openToSupport: true,
      needs: 'receipt.read',
    },
    wantReceiptOf: {
      call: { form: { record: ids.line }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
      needs: 'movement.ask',
    },
    makeArchive: {
      call: { form: { filter: '', template: 'full', profile: 'csv' }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
      needs: 'export.make',
    },
    askForMissing: {
      call: { form: { id: ids.archive }, hasState: true },
      leavesTrace: true,
      needs: 'movement.ask',
    },
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
    // These calls are refused while sending is stopped, and while the plan has an open charge,
    // which locks it.
    addPlanCodes: {
      call: { form: { orders: 'KAPI-PLAN' }, hasState: true },
      leavesTrace: true,
      needs: 'card.add',
    },
    askAboutOnePlan: {
      call: { form: { plan: ids.plan }, hasState: true },
      leavesTrace: false,
      openToSupport: true,
      needs: 'movement.ask',
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
    // The plan's code is known, so there is nothing to note.
    seeUnknownCode: {
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
    // This payment uses no saved card, so that a permitted call changes nothing.
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
    // This call comes after "send it" was pressed, so that nothing is sent in these tests.
    cancelHeld: {
      call: { form: { id: ids.held, kind: 'payout' }, hasState: true },
      leavesTrace: true,
      needs: 'payout.cancel',
    },
    acknowledge: {
      call: {
        form: {
          id: ids.difference,
          recorded: DIFFERENCE_RECORDED,
          reason: 'Kapı deneyi: gördüm',
        },
        hasState: true,
      },
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
      needs: 'movement.ask',
    },
    // Nothing is wrong with the payment, so nothing can be marked as seen.
    seeProblem: {
      call: {
        form: { id: ids.card, problem: 'not_found', reason: 'Kapı deneyi: gördüm' },
        hasState: true,
      },
      leavesTrace: false,
      needs: 'alert.acknowledge',
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
    lookAtPayment: {
      call: { args: [ids.card] },
      leavesTrace: false,
      openToSupport: true,
      needs: 'card.read',
    },
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
      needs: 'export.make',
    },
    exportPayouts: {
      call: { form: { filter: '?view=completed', profile: 'csv' }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
      needs: 'export.make',
    },
    exportTransactions: {
      call: { form: { filter: '?type=payout', profile: 'csv' }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
      needs: 'export.make',
    },
    closeWalletDays: {
      call: {
        form: { wallet: '4410270001', through: day, reason: 'Kapı deneyi: gün kapandı' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'day.close',
    },
    chooseColumns: {
      call: { form: { list: 'withdrawals', shown: 'wallet' }, hasState: true },
      leavesTrace: true,
      openToSupport: true,
    },
    keepView: {
      call: {
        form: { list: 'withdrawals', name: `Kapı ${Date.now()}`, address: 'level=completed' },
        hasState: true,
      },
      leavesTrace: true,
      openToSupport: true,
      needs: 'movement.read',
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
      needs: 'top_up.handle',
    },
    // Refused for its name: a key that waits would stand in the pages of later stories.
    makeKeyNow: {
      call: { form: { name: '', 'right:payouts.read': 'on', reason: '' }, hasState: true },
      leavesTrace: false,
      needs: 'api.manage',
    },
    confirmKeyNow: {
      call: { form: { id: randomUUID() }, hasState: true },
      leavesTrace: false,
      needs: 'people.confirm',
    },
    revokeKeyNow: {
      call: { form: { id: randomUUID() }, hasState: true },
      leavesTrace: false,
      needs: 'people.confirm',
    },
    // The address is refused: messages would leave for it.
    setEndpointNow: {
      call: { form: { url: 'ftp://kapi.test/' }, hasState: true },
      leavesTrace: false,
      needs: 'api.manage',
    },
    rotateSecretNow: {
      call: { form: {}, hasState: true },
      leavesTrace: false,
      needs: 'api.manage',
    },
    removeEndpointNow: {
      call: { form: {}, hasState: true },
      leavesTrace: false,
      needs: 'api.manage',
    },
    sendPingNow: {
      call: { form: {}, hasState: true },
      leavesTrace: false,
      needs: 'api.manage',
    },
    sendAgainNow: {
      call: { form: { id: randomUUID() }, hasState: true },
      leavesTrace: false,
      needs: 'api.manage',
    },
    invitePersonNow: {
      call: {
        form: { email: `kapi-${Date.now()}@example.test`, role: 'clerk', reason: 'Kapı deneyi' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'people.manage',
    },
    // The owner asked for this invitation; a second person confirms it, then it is withdrawn.
    confirmPersonChange: {
      call: {
        form: { kind: 'invitation', id: ids.invitation, claim: 'invite' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'people.confirm',
      second: true,
    },
    withdrawInvitationNow: {
      call: { form: { id: ids.invitation }, hasState: true },
      leavesTrace: true,
      needs: 'people.manage',
    },
    setPersonLimitNow: {
      call: {
        form: {
          id: ids.colleague,
          currency: 'TRY',
          single: '50,00',
          day: '',
          reason: 'Kapı deneyi',
        },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'people.manage',
    },
    // A role with more rights is only asked for; the request is withdrawn by the next call.
    changePersonNow: {
      call: {
        form: { id: ids.colleague, change: 'role', role: 'clerk', reason: 'Kapı deneyi' },
        hasState: true,
      },
      leavesTrace: true,
      needs: 'people.manage',
    },
    endPersonRequest: {
      call: { form: { id: ids.colleague }, hasState: true },
      leavesTrace: true,
      needs: 'people.confirm',
    },
    // Refused for its reason: a request that waits would stand in the pages of later stories.
    nameDeputyNow: {
      call: {
        form: { person: ids.person, deputy: ids.colleague, first: '', last: '', reason: '' },
        hasState: true,
      },
      leavesTrace: false,
      needs: 'people.confirm',
    },
    // A deputyship is ended by either of its two, whatever their role.
    endDeputyNow: {
      call: { form: { id: randomUUID() }, hasState: true },
      leavesTrace: false,
      openToSupport: true,
    },
    endPersonSessions: {
      call: { form: { id: ids.colleague, session: 'all' }, hasState: true },
      leavesTrace: true,
      needs: 'people.manage',
    },
    deleteExport: {
      call: { form: { id: ids.export }, hasState: true },
      leavesTrace: true,
      needs: 'export.make',
    },
    endOneSession: { call: { form: { id: ids.session }, hasState: true }, leavesTrace: true },
  };
}

/**
 * Every route of the build, with its response to a request that has no session and comes from our
 * own page.
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
  // This route is public, and trusts nothing in the request.
  '/api/cards/return': [
    ['GET', () => '/api/cards/return?invoice_id=NOBODY', 303],
    ['POST', () => '/api/cards/return', 303],
    ['DELETE', () => '/api/cards/return', 405],
  ],
  '/api/events': [
    ['GET', () => '/api/events', 401],
    ['POST', () => '/api/events', 405],
  ],
  '/api/batches': [
    ['GET', () => '/api/batches', 405],
    ['POST', () => '/api/batches?wallet=4410270001', 401],
  ],
  '/api/batches/template': [
    ['GET', () => '/api/batches/template?format=csv', 401],
    ['POST', () => '/api/batches/template', 405],
  ],
  '/api/payouts': [
    ['GET', () => '/api/payouts?q=a', 401],
    ['POST', () => '/api/payouts', 405],
  ],
  '/api/movements/[id]': [
    ['GET', ({ payout }) => `/api/movements/${payout}`, 401],
    ['POST', ({ payout }) => `/api/movements/${payout}`, 405],
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
  // An API key alone opens these: a person's session counts for nothing.
  '/api/v1/batches': [
    ['POST', () => '/api/v1/batches', 401],
    ['GET', () => '/api/v1/batches', 405],
  ],
  '/api/v1/batches/[id]': [
    ['GET', ({ batch }) => `/api/v1/batches/${batch}`, 401],
    ['POST', ({ batch }) => `/api/v1/batches/${batch}`, 405],
  ],
  '/api/v1/openapi.json': [
    ['GET', () => '/api/v1/openapi.json', 200],
    ['POST', () => '/api/v1/openapi.json', 405],
  ],
  '/api/v1/payouts': [
    ['POST', () => '/api/v1/payouts', 401],
    ['GET', () => '/api/v1/payouts', 405],
  ],
  '/api/v1/payouts/[id]': [
    ['GET', ({ payout }) => `/api/v1/payouts/${payout}`, 401],
    ['POST', ({ payout }) => `/api/v1/payouts/${payout}`, 405],
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
  '/batches/[id]/result': [
    ['GET', ({ batch }) => `/batches/${batch}/result`, 401],
    ['POST', ({ batch }) => `/batches/${batch}/result`, 405],
  ],
  '/receipts/[id]/raw': [
    ['GET', ({ receipt }) => `/receipts/${receipt}/raw`, 401],
    ['DELETE', ({ receipt }) => `/receipts/${receipt}/raw`, 405],
  ],
};

/** The addresses that the server answers before the framework (`lib/web/answer.ts`), likewise. */
const BEFORE_THE_FRAMEWORK: typeof ROUTES = {
  '/api/health/live': [
    ['GET', () => '/api/health/live', 200],
    ['POST', () => '/api/health/live', 405],
  ],
  '/api/health/ready': [
    ['GET', () => '/api/health/ready', [200, 503]],
    ['POST', () => '/api/health/ready', 405],
  ],
  '/api/webhooks/[key]/[channel]': [
    ['POST', () => '/api/webhooks/guess/wallet', 404],
    ['GET', () => '/api/webhooks/guess/wallet', 405],
    ['OPTIONS', () => '/api/webhooks/guess/wallet', 405],
  ],
};

/** Routes that change something for a valid cookie, and the response to a permitted call. */
const CHANGING: [path: string, body: object][] = [
  ['/api/sign-out', { everywhere: true }],
  ['/api/sign-in', { step: 'start', email: 'ayse@demo.test', password: PASSWORD }],
  ['/api/auth/callback/credentials', { code: '000000' }],
  ['/api/batches?wallet=4410270001', { IBAN: '1' }],
];

const ROLE_OF: Readonly<Record<PersonName, Role>> = {
  ayse: 'clerk',
  mehmet: 'approver',
  selin: 'owner',
  can: 'support',
  deniz: 'auditor',
};

/** The address of a page or route, about a thing of another merchant where it names one. */
function pathOf(door: string, { payout }: Strangers): string {
  return door
    .replace('[number]', '4410270001')
    .replace('[id]', payout)
    .replace('[day]', '2026-01-01');
}

/** The method that a route takes from people; pages are opened. */
function methodOf(door: string): string {
  return ROUTES[door]?.find(([, , status]) => status === 401)?.[0] ?? 'GET';
}

/** The hash that the Send button on the page of a draft posts. */
async function seenHashOf(batch: string, cookie: string): Promise<string> {
  const page = await fetch(`${BASE_URL}/batches/${batch}`, {
    headers: { cookie, 'sec-fetch-site': 'same-origin' },
  });
  return /seenHash\\*":\\*"([0-9a-f]{64})/.exec(await page.text())![1]!;
}

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
  test.setTimeout(600_000);
  test.beforeEach(async () => {
    // What a probe before left is ended by the bank between two stories; its webhook would be a change.
    await sandbox.noticeMode({ drop: true });
    await processes.stop('worker');
  });
  test.afterEach(async () => {
    // Removes the recovery that a probe started (another test covers the recovery that a worker
    // starts), and the unclear wallet, which would end the next request for a wallet. No permission
    // of the product allows this, so that SQL does it.
    const forget = (table: string) =>
      `ALTER TABLE ${table} DISABLE TRIGGER USER; DELETE
        FROM ${table}; ALTER TABLE ${table} ENABLE TRIGGER USER`;
    await rows(
      ['send_switches', 'recovered_records', 'recoveries', 'differences', 'wallet_requests']
        .map(forget)
        .join(';'),
    );
    await processes.start('worker');
  });

  test('every action refuses strangers, other origins and lesser roles, and works when rightly called', async ({
    sitDown,
  }) => {
    const identity = await identityOf(await sitDown('selin'));
    await postWebhook('a note behind the door');
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
    const ready = await readyBatchOf(clerk!.merchant_id, owning!.id);
    const table = probes(
      {
        payout,
        identity,
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
        payee: await paidPayeeOf(clerk!.merchant_id),
        batch: await batchOf(clerk!.merchant_id, owning!.id),
        ready,
        seenHash: await seenHashOf(ready, owner),
        template: await templateOf(clerk!.merchant_id, owning!.id),
        view: await viewOf(clerk!.merchant_id, owning!.id),
        notification: await notificationOf(clerk!.merchant_id, owning!.id),
        held: await heldOf(clerk!.merchant_id, clerk!.id, 'Held Payee'),
        colleague: await colleagueOf(clerk!.merchant_id, 'Door Colleague'),
        invitation: await invitationOf(clerk!.merchant_id, owning!.id),
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
        // Language and theme need no permission, but a request from another site does not change
        // even them.
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
      new Set(
        Object.values(table)
          .flatMap(({ needs }) => needs ?? [])
          .filter((right) => !may('support', right)),
      ),
    );

    // The same calls take effect when they are made with permission: so the calls above were really
    // refused.
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
    // Some ids are small numbers, which calls have in other places, too.
    const marks = Object.fromEntries(Object.keys(foreign).map((key) => [key, `mark-${key}`]));
    const named = Object.entries(probes(marks as typeof foreign))
      .filter(([, { call }]) => JSON.stringify(call).includes('mark-'))
      .map(([name]) => name);
    for (const ids of [foreign, { ...foreign, session: colleague!.id }]) {
      const calls = probes(ids);
      for (const name of named) {
        const answer = await (
          await callAction(actions[name]!, calls[name]!.call, { ...OWN, cookie: owner })
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
      `/batches/${foreign.batch}`,
      `/batches/${foreign.batch}/result`,
      `/money-in/failed/${foreign.topUp}`,
      `/cards/payments/${foreign.card}`,
      `/cards/recurring/${foreign.plan}`,
      `/people/${foreign.colleague}`,
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
    const all = { ...ROUTES, ...BEFORE_THE_FRAMEWORK };
    for (const [method, path, status] of Object.values(all).flat()) {
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
      const path = pathOf(page, ids);
      const open = (address: string) =>
        fetch(new URL(address, BASE_URL), {
          redirect: 'manual',
          headers: { 'sec-fetch-dest': 'document' },
        });
      const landed = (answer: Response) => answer.headers.get('location')?.split('?')[0];
      let answer = await open(path);
      // A report without days redirects to its own address with days, before it asks for a session.
      if (landed(answer) === path) answer = await open(answer.headers.get('location')!);
      expect([answer.status, landed(answer)], path).toEqual([307, '/login']);
      expect(await answer.text(), path).not.toMatch(/foreign|4488810001/i);
    }
    expect(await everything(), 'what somebody without a session changed').toEqual(before);
  });

  test('each role is refused every action whose right it lacks, and the trail names the right', async ({
    sitDown,
  }) => {
    test.setTimeout(600_000);
    const table = probes(await strangersThings());
    const { actions } = await readBuild();
    const cookies: [Role, string][] = [];
    for (const [person, role] of Object.entries(ROLE_OF))
      cookies.push([role, await cookieOf(await sitDown(person as PersonName))]);
    const before = withoutTrail(await everything());
    for (const [role, cookie] of cookies) {
      for (const [name, { call, needs }] of Object.entries(table)) {
        if (needs === undefined || may(role, needs)) continue;
        const trail = await trailEnd();
        await callAction(actions[name]!, call, { ...OWN, cookie });
        expect(await refusedRights(trail, role), `${name}, called by ${role}`).toEqual(
          new Set([needs]),
        );
      }
    }
    expect(withoutTrail(await everything()), 'what the refused calls changed').toEqual(before);
  });

  test('each role opens exactly the pages and routes that the matrix gives it', async ({
    sitDown,
  }) => {
    test.setTimeout(600_000);
    const ids = await strangersThings();
    const { pages, routes, problems } = readDoors(process.cwd());
    expect(problems, 'doors without a row, and rows without a door').toEqual([]);
    const asked = routes.filter(({ access }) => access.kind === 'permissions');
    for (const [person, role] of Object.entries(ROLE_OF)) {
      const cookie = await cookieOf(await sitDown(person as PersonName));
      for (const door of [...pages, ...asked]) {
        const path = pathOf(door.name, ids);
        const trail = await trailEnd();
        const method = methodOf(door.name);
        const answer = await fetch(`${BASE_URL}${path}`, {
          method,
          redirect: 'manual',
          headers:
            method === 'POST'
              ? { ...OWN, cookie }
              : { cookie, 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' },
        });
        // A page that streams writes its refusal while it is drawn: one that is cut off may not.
        await answer.text();
        expect(answer.status, `${path}, opened by ${role}`).toBeLessThan(500);
        expect((await refusedRights(trail, role)).size > 0, `${path}, refused to ${role}`).toBe(
          !mayPass(door.access, role),
        );
      }
    }
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
      // This download is not public: the read-only role is refused.
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
 * Tables that are not compared: their counters, snapshots and heartbeats belong to no caller. The
 * time of a session's last use is not compared either: it grants no right.
 */
const UNCOUNTED = [
  'rate_limits',
  'wallet_snapshots',
  'worker_heartbeats',
  'login_challenges',
  '_prisma_migrations',
];

/**
 * A digest of each table, whatever the order of its rows, to detect what a caller without
 * permission has changed. The worker is stopped, so that nothing else changes the tables.
 */
async function everything(): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r'
      AND relnamespace = 'public'::regnamespace AND relname <> ALL ($1)`,
    [UNCOUNTED],
  );
  const digests = tables.map(
    ({ name }) =>
      `(SELECT count(*) || ':' || coalesce(sum(hashtextextended(${row(name)}, 0)), 0)
        FROM ${name} t) AS ${name}`,
  );
  const [found] = await rows<Record<string, string>>(`SELECT ${digests.join(', ')}`);
  return found!;
}

/** A row as text, without the time of a session's last use. */
function row(table: string): string {
  return table === 'sessions' ? `(to_jsonb(t) - 'last_seen_at')::text` : 't::text';
}

/**
 * The digests without the audit log's: a refusal for lack of permission adds an audit entry, and
 * nothing else.
 */
function withoutTrail({
  audit_entries: _entries,
  audit_heads: _heads,
  audit_queue: _queue,
  audit_personal: _personal,
  ...rest
}: Record<string, string>): Record<string, string> {
  return rest;
}

/** The permissions that were refused since entry `after` of the audit log. */
async function refusedRights(after: string, role: Role = 'support'): Promise<Set<string>> {
  const refused = await rows<{ permission: string }>(
    `SELECT DISTINCT body::jsonb #>> '{detail,permission}' AS permission FROM audit_entries
      WHERE seq > $1 AND action = 'session.not_allowed' AND body::jsonb #>> '{detail,role}' = $2`,
    [after, role],
  );
  return new Set(refused.map(({ permission }) => permission));
}

/**
 * The number of the audit log's newest entry. Only later refusals count, because other tests are
 * refused for the same role, too; the trail takes three of a person and permission an hour, so the
 * count begins anew.
 */
async function trailEnd(): Promise<string> {
  await rows(`DELETE FROM rate_limits WHERE key LIKE 'not-allowed:%'`);
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

/** The public key for which the settings page asks a browser to subscribe. */
async function identityOf({ page }: Desk): Promise<string> {
  await page.goto('/settings');
  const [, key] = /"identity\\?":\\?"(B[\w-]{86})/.exec(await page.content()) ?? [];
  expect(key, 'the public key of the installation').toBeDefined();
  return key!;
}
