import { afterEach, beforeEach, expect, it } from 'vitest';
import { setColumns } from '#lib/movements/testing/stored.ts';
import type { Mail, Mailer } from '#lib/runtime/mailer.ts';
import { dayIn, formatTime } from '#lib/values/dates.ts';
import { clockOf, minuteOfDay } from './quiet-hours.ts';
import {
  addDevice,
  addDifference,
  addUnknown,
  barOtherAccountOf,
  openTold,
} from './testing/product.ts';
import type { Told } from './testing/product.ts';

/** Mails of notifications: each at most once, by the person's choices and quiet hours. */

let told: Told;
let sent: Mail[];
/** What the mail server does instead of taking a mail. */
let fault: (() => unknown) | null;
const mailer: Mailer = {
  send: async (mail) => {
    if (fault !== null) throw fault();
    sent.push(mail);
  },
};
beforeEach(async () => {
  told = await openTold();
  sent = [];
  fault = null;
});
afterEach(() => told.close());

const mail = (): Promise<number> => told.worker.mail(told.merchant.merchantId, mailer);
const dueAgain = () =>
  told.query(
    `UPDATE notifications SET mail_due_at = now() WHERE merchant_id = $1 AND mail_due_at IS NOT NULL`,
  );
const failure = (fields: object) => (): unknown => Object.assign(new Error('no'), fields);
/** Quiet hours around the present minute of the workspace, or around the other half of the day. */
const hours = (isNow: boolean): { from: string; to: string } => {
  const now = minuteOfDay(new Date().toISOString(), 'Europe/Istanbul') + (isNow ? 0 : 720);
  return { from: clockOf((now + 1380) % 1440), to: clockOf((now + 60) % 1440) };
};
const chooseQuiet = (quiet: { from: string; to: string }) =>
  told.web.choose(told.merchant.person('clerk'), {
    app: ['movement_rejected', 'new_device'],
    mail: ['movement_rejected', 'new_device'],
    push: [],
    quiet,
  });

it('a person gets one mail with all that is due, in both languages, with links and without numbers', async () => {
  const [first, second] = [await told.rejected(), await told.rejected()];
  await addDifference(told, '2026-03-05');
  await told.make();
  expect(await mail()).toBe(3);
  expect(sent.map(({ to }) => to).toSorted()).toEqual([
    ['approver@test'],
    ['clerk@test'],
    ['owner@test'],
  ]);
  const { subject, text } = sent.find(({ to }) => to.includes('clerk@test'))!;
  expect(subject).toBe('Ödeme Masası: 2 bildirim');
  for (const words of [
    `/payouts/${first}`,
    `/payouts/${second}`,
    '₺123,45 tutarındaki ödeme reddedildi',
    'Payout of ₺123.45 was rejected',
    '/settings',
  ])
    expect(text).toContain(words);
  expect(text).not.toMatch(/TR\d{2}|Ayşe Yılmaz|none|\{/);
  expect(await mail(), 'once').toBe(0);
});

it('a worker that is stopped begins no further mail: the others stay due for the next one', async () => {
  await told.rejected();
  await addDifference(told, '2026-03-05');
  await told.make();
  const stopping = new AbortController();
  const slow: Mailer = {
    send: async (one) => {
      sent.push(one);
      stopping.abort();
    },
  };
  expect(await told.worker.mail(told.merchant.merchantId, slow, stopping.signal)).toBe(1);
  expect(sent).toHaveLength(1);
  expect(await mail(), 'the other two people').toBe(2);
});

it('"rejected" is not mailed of a payment that its record contradicts by now', async () => {
  const [contradicted, rejected] = [await told.rejected(), await told.rejected()];
  await told.make();
  await told.merchant.owner.query(`UPDATE movements SET alert = 'contradiction' WHERE id = $1`, [
    contradicted,
  ]);
  await mail();
  const text = sent.map((one) => one.text).join('');
  expect([text.includes(rejected), text.includes(contradicted)]).toEqual([true, false]);
});

it('without a mail server nothing is ever due, and none is made up for later', async () => {
  await told.rejected();
  await told.make({ mails: false });
  await told.make({ mails: true });
  expect(await mail()).toBe(0);
});

it('two workers at once, and one that dies before it notes the mail, send no second one', async () => {
  for (let n = 0; n < 8; n += 1) await told.rejected();
  await told.make();
  const { merchantId } = told.merchant;
  await Promise.all(
    [told.worker, told.other, told.worker, told.other].map((side) => side.mail(merchantId, mailer)),
  );
  const links = sent.flatMap(({ text }) => text.match(/\/payouts\/\S+/g) ?? []);
  expect(links.length, 'each once in each language').toBe(16);
  expect(new Set(links).size).toBe(8);

  await told.rejected();
  await told.make();
  let begun = (): void => undefined;
  const sending = new Promise<void>((resolve) => (begun = resolve));
  let die = (): void => undefined;
  // The mail was taken, and its worker never learns it.
  void told.other.mail(merchantId, {
    send: () => {
      begun();
      return new Promise((_resolve, reject) => (die = () => reject(new Error('killed'))));
    },
  });
  await sending;
  sent = [];
  expect(await mail()).toBe(0);
  die();
  await dueAgain();
  expect(await mail()).toBe(0);
  expect(sent).toEqual([]);
});

it('a worker that dies while it mails one person leaves the mails of the others due', async () => {
  await addDifference(told, '2026-03-05');
  await told.make();
  let begun = (): void => undefined;
  const sending = new Promise<void>((resolve) => (begun = resolve));
  void told.other.mail(told.merchant.merchantId, {
    send: () => {
      begun();
      return new Promise(() => undefined);
    },
  });
  await sending;
  expect(await mail(), 'of the approver and the owner one').toBe(1);
});

it.each([
  ['refuses it', failure({ responseCode: 451, command: 'DATA' }), true],
  ['cannot be reached', failure({ syscall: 'connect', code: 'ESOCKET' }), true],
  ['has no address', failure({ code: 'EDNS' }), true],
  ['breaks off when it may have it', failure({ code: 'ECONNECTION', command: 'CONN' }), false],
  ['is silent', failure({ code: 'ETIMEDOUT', command: 'CONN' }), false],
])('a mail server that %s: the mail is tried again is %s', async (_what, how, again) => {
  await told.rejected();
  await told.make();
  fault = how;
  expect(await mail()).toBe(0);
  fault = null;
  expect(await mail(), 'not at once').toBe(0);
  await dueAgain();
  expect(await mail()).toBe(again ? 1 : 0);
  await dueAgain();
  expect(await mail()).toBe(0);
});

it('a mail that is refused keeps the mails of other people back for no round', async () => {
  await addDifference(told, '2026-03-05');
  await told.make();
  let tries = 0;
  const refusesTheFirst: Mailer = {
    send: async () => {
      if ((tries += 1) === 1) throw failure({ responseCode: 451, command: 'RCPT TO' })();
    },
  };
  expect(await told.worker.mail(told.merchant.merchantId, refusesTheFirst)).toBe(1);
  expect(tries, 'of the approver and the owner').toBe(2);
});

it('a server that refuses is asked five times and no more', async () => {
  await told.rejected();
  await told.make();
  fault = failure({ responseCode: 451 });
  for (let n = 1; n <= 6; n += 1) {
    await mail();
    await dueAgain();
  }
  expect(
    await told.query(`SELECT mail_tries, mail_due_at, mailed_at FROM notifications
      WHERE merchant_id = $1`),
  ).toEqual([{ mail_tries: 5, mail_due_at: null, mailed_at: null }]);
});

it('in quiet hours a mail waits until they end; that of a new device does not', async () => {
  await chooseQuiet(hours(true));
  await told.rejected();
  await addDevice(told, 'clerk');
  await addDevice(told, 'clerk');
  await told.make();
  expect(await mail()).toBe(1);
  expect(sent[0]!.text).toMatch(/Firefox · Windows/);
  expect(sent[0]!.text).not.toContain('/payouts/');
  expect(await mail()).toBe(0);
  await chooseQuiet(hours(false));
  expect(await mail()).toBe(1);
  expect(sent[1]!.text).toContain('/payouts/');
});

it('what was read before its mail is due is mailed no more, nor what its person has switched off', async () => {
  const clerk = told.merchant.person('clerk');
  await told.rejected();
  await told.make();
  await told.web.readAll(clerk, new Date(Date.now() + 1_000).toISOString());
  expect(await mail()).toBe(0);
  await told.web.choose(clerk, {
    app: ['movement_rejected'],
    mail: [],
    push: [],
    quiet: { from: '', to: '' },
  });
  await told.rejected();
  await told.make();
  expect(await mail()).toBe(0);
  expect(await told.web.count(clerk)).toBe(1);
});

it('an outcome that is known before its mail is due is not mailed as unknown', async () => {
  const [known, unknown] = [await addUnknown(told), await addUnknown(told)];
  await told.make();
  await setColumns(told.merchant, known, { state: 'PENDING' });
  expect(await mail()).toBe(1);
  expect(sent[0]!.text).toContain(unknown);
  expect(sent[0]!.text).not.toContain(known);
  const again = await addUnknown(told);
  await told.make();
  await setColumns(told.merchant, again, {
    state: 'SUBMITTING',
    sends: 2,
    last_send_at: new Date(),
  });
  expect(await mail(), 'sent again, it is unknown').toBe(1);
});

it('who was disabled in another account of the same login gets no mail, later neither', async () => {
  await told.rejected();
  await told.make();
  await barOtherAccountOf(told, 'clerk');
  expect(await mail()).toBe(0);
  await told.query(`UPDATE people SET disabled_at = NULL WHERE merchant_id = $1`);
  expect(await mail(), 'it is not sent when they are enabled again').toBe(0);
});

it('who has switched the mail of reminders off is named to them, of this merchant alone', async () => {
  const clerk = told.merchant.person('clerk');
  const { worker } = told;
  const unwanted = () =>
    worker.process.db.inTransaction(told.merchant.merchantId, (tx) =>
      worker.whoWantsNoMail(tx, 'authorization_lapses'),
    );
  expect(await unwanted()).toEqual([]);
  await told.web.choose(clerk, { app: [], mail: [], push: [], quiet: { from: '', to: '' } });
  expect(await unwanted()).toEqual([clerk.personId]);
});

it('a mail names the moment by the clock of the workspace', async () => {
  await told.rejected();
  await told.make();
  await mail();
  const [{ at }] = (await told.query('SELECT at FROM notifications WHERE merchant_id = $1')) as [
    { at: Date },
  ];
  const iso = at.toISOString();
  expect(sent[0]!.text).toContain(formatTime(iso));
  expect(sent[0]!.text).toContain(String(Number(dayIn(iso).slice(-2))));
});
