import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Mail, Mailer } from '#lib/runtime/mailer.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Confirm from './confirm.ts';
import type * as Invite from './invite.ts';
import type * as Mails from './mail-invitations.ts';

/** An invitation is mailed to its address, at most once, and gives nothing by itself. */

let merchant: TestMerchant;
let sides: Process[];
let verbs: typeof Invite & typeof Confirm;
let worker: typeof Mails;
let sent: Mail[];
let fault: object | null;
const mailer: Mailer = {
  send: async (mail) => {
    if (fault !== null) throw Object.assign(new Error('no'), fault);
    sent.push(mail);
  },
};

beforeEach(async () => {
  merchant = await testMerchant();
  const web = await openProcess('dashboard_web');
  verbs = { ...(await import('./invite.ts')), ...(await import('./confirm.ts')) };
  const other = await openProcess('dashboard_worker');
  worker = await import('./mail-invitations.ts');
  sides = [web, other];
  [sent, fault] = [[], null];
});
afterEach(async () => {
  await Promise.all(sides.map((side) => side.db.disconnect()));
  await merchant.close();
});

const invite = (email: string, role: 'clerk' | 'approver' = 'clerk') =>
  verbs.invitePerson(merchant.person('owner'), { email, role, reason: 'joins us' });
const mail = () => worker.mailInvitations(merchant.merchantId, mailer);
const dueAgain = () =>
  merchant.owner.query(
    'UPDATE invitation_mails SET due_at = now() WHERE merchant_id = $1 AND due_at IS NOT NULL',
    [merchant.merchantId],
  );
const idOf = async (email: string) =>
  (
    await merchant.owner.query<{ id: string }>(
      'SELECT id FROM person_invitations WHERE merchant_id = $1 AND email = $2',
      [merchant.merchantId, email],
    )
  ).rows[0]!.id;

it('goes to its address in both languages, with the sign-in and no token', async () => {
  await invite('new@shop.example');
  expect(await mail()).toBe(1);
  const [{ to, subject, text }] = sent as [Mail];
  expect(to).toEqual(['new@shop.example']);
  expect(subject).toBe('Ödeme Masası: davet edildiniz');
  expect(text).toContain('Hazırlayan');
  expect(text).toMatch(/\/login\n/);
  expect(text, 'nothing that names the invitation').not.toContain(await idOf('new@shop.example'));
  expect(text).not.toMatch(/[?&#=]|[0-9a-f]{16}|\{/);
  expect(await mail(), 'once').toBe(0);
});

it('waits for the second person where two are needed', async () => {
  await invite('senior@shop.example', 'approver');
  expect(await mail()).toBe(0);
  const id = await idOf('senior@shop.example');
  const subject = { kind: 'invitation', id } as const;
  await verbs.confirmPeopleChange(merchant.person('approver'), subject, 'invite');
  expect(await mail()).toBe(1);
});

it('is not sent once it is withdrawn, nor for one that has been open for a day', async () => {
  await invite('gone@shop.example');
  await verbs.withdrawInvitation(merchant.person('owner'), await idOf('gone@shop.example'));
  expect(await mail()).toBe(0);
  await merchant.owner.query(
    `INSERT INTO person_invitations (merchant_id, email, role, invited_by, invited_at, expires_at)
      VALUES ($1, 'old@shop.example', 'clerk', $2, now() - interval '25 hours',
        now() + interval '3 days')`,
    [merchant.merchantId, merchant.person('owner').personId],
  );
  expect(await mail()).toBe(0);
});

it.each([
  ['refuses it', { responseCode: 451 }, true],
  ['breaks off when it may have it', { code: 'ECONNECTION', command: 'DATA' }, false],
])('when the mail server %s, it is tried again only if it was not taken', async (_, how, again) => {
  await invite('new@shop.example');
  fault = how;
  expect(await mail()).toBe(0);
  fault = null;
  expect(await mail(), 'not at once').toBe(0);
  await dueAgain();
  expect(await mail()).toBe(again ? 1 : 0);
});

it('a worker that is stopped begins no further mail: the others stay due for the next one', async () => {
  const emails = ['first@shop.example', 'second@shop.example', 'third@shop.example'];
  for (const email of emails) await invite(email);
  const stopping = new AbortController();
  const slow: Mailer = {
    send: async (one) => {
      sent.push(one);
      stopping.abort();
    },
  };
  expect(await worker.mailInvitations(merchant.merchantId, slow, stopping.signal)).toBe(1);
  expect(await mail()).toBe(2);
  expect(sent.flatMap(({ to }) => to).toSorted()).toEqual(emails.toSorted());
});

it('a worker that dies while it sends leaves the other mails due', async () => {
  for (const email of ['first@shop.example', 'second@shop.example']) await invite(email);
  const dead: Mailer = { send: () => new Promise<never>(() => undefined) };
  const begun = async () =>
    (
      await merchant.owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM invitation_mails
          WHERE merchant_id = $1 AND begun_at IS NOT NULL`,
        [merchant.merchantId],
      )
    ).rows[0]!.n;
  void worker.mailInvitations(merchant.merchantId, dead);
  await vi.waitFor(async () => expect(await begun()).toBe(1), { timeout: 10_000 });
  expect(await mail()).toBe(1);
});

it('two workers at once send one mail', async () => {
  await invite('new@shop.example');
  await Promise.all([mail(), mail(), mail()]);
  expect(sent).toHaveLength(1);
});
