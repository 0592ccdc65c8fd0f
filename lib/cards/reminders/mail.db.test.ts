import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Mailer } from '#lib/runtime/mailer.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/** Reminders by mail, which are sent over SMTP to a mail server that this file simulates. */

type Taken = { from: string; to: string[]; body: string };
type Manners = {
  /** The response to the mail itself. */ answer?: string;
  /** An address that is refused for now, beside others that are taken. */ defers?: string;
  /** Closes the connection after the mail, without a response. */ hangsUp?: boolean;
};

const CAPTURE_HOURS = 19 * 24;
const taken: Taken[] = [];
let manners: Manners = {};
let server: Server;
let merchant: TestMerchant;
let web: Process;
let worker: Process;
let mailer: Mailer;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ merchant, web, worker, close } = await openProduct());
  server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { mailerOf } = await import('#lib/runtime/mailer.ts');
  mailer = mailerOf(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, 'desk@shop.test');
});
afterAll(async () => {
  server.close();
  await close();
});
beforeEach(async () => {
  taken.length = 0;
  manners = {};
  await merchant.owner.query(
    'UPDATE card_reminders SET mail_next_at = NULL WHERE merchant_id = $1',
    [merchant.merchantId],
  );
});

/** Serves the part of RFC 5321 that a client needs. */
function serve(socket: Socket): void {
  let mail: Taken = { from: '', to: [], body: '' };
  let [rest, isBody] = ['', false];
  const say = (line: string): boolean => socket.write(`${line}\r\n`);
  const hear = (line: string): void => {
    const [verb = ''] = line.toUpperCase().split(/[ :]/);
    const address = /<(.*?)>/.exec(line)?.[1] ?? '';
    if (verb === 'MAIL') mail = { from: address, to: [], body: '' };
    isBody = verb === 'DATA';
    if (verb === 'RCPT' && address === manners.defers) return void say('451 not now');
    if (verb === 'RCPT') mail.to.push(address);
    say(
      { EHLO: '250 mail.test', MAIL: '250 ok', RCPT: '250 ok', DATA: '354 go on', QUIT: '221 bye' }[
        verb
      ] ?? '502 what',
    );
    if (verb === 'QUIT') socket.end();
  };
  const endBody = (): void => {
    isBody = false;
    if (manners.hangsUp) return void socket.destroy();
    if (manners.answer === undefined) taken.push(mail);
    say(manners.answer ?? '250 taken');
  };
  socket
    .on('error', () => undefined)
    .setEncoding('utf8')
    .on('data', (chunk: string) => {
      rest += chunk;
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (!isBody) hear(line);
        else if (line === '.') endBody();
        else mail.body += `${line}\n`;
      }
    });
  say('220 mail.test');
}

async function hold(ageHours: number): Promise<{ id: string; invoice: string }> {
  // Without digits, because the mails are searched for those of a card.
  const letters = randomUUID()
    .slice(0, 8)
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[+digit]!);
  const invoice = `POSTA-${letters}`;
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO card_payments (merchant_id, invoice_id, source, state, held_seen, amount_minor,
      card, order_id, held_since) VALUES ($1, $2, 'notice', 'held', true, 123450, '4509', 'VP-77',
      clock_timestamp() - make_interval(hours => $3)) RETURNING id`,
    [merchant.merchantId, invoice, ageHours],
  );
  return { id: rows[0]!.id, invoice };
}
const remind = () => worker.remind.remindOfAuthorizations(merchant.merchantId, { mails: true });
const send = (...unwantedBy: string[]) =>
  worker.remindByMail.mailReminders(merchant.merchantId, mailer, async () => unwantedBy);
const dueAgain = () =>
  merchant.owner.query(
    'UPDATE card_reminders SET mail_next_at = now() WHERE merchant_id = $1 AND mail_next_at IS NOT NULL',
    [merchant.merchantId],
  );
const readable = (mail: Taken): string => {
  const [head = '', ...body] = mail.body.split('\n\n');
  const text = body.join('\n\n');
  return /base64/i.test(head)
    ? Buffer.from(text, 'base64').toString('utf8')
    : Buffer.from(
        text
          .replace(/=\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_all, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          ),
        'latin1',
      ).toString('utf8');
};

it('clerks and approvers get one mail each about their authorizations, without card data', async () => {
  const [far, near] = [await hold(CAPTURE_HOURS - 70), await hold(CAPTURE_HOURS - 20)];
  await remind();
  expect(await send()).toBe(2);
  const [clerks, approvers] = ['clerk@test', 'approver@test'].map((address) =>
    taken.find((mail) => mail.to.includes(address))!,
  );
  expect(clerks!.to).toEqual(['clerk@test']);
  expect(approvers!.to).toEqual(['approver@test', 'owner@test']);
  expect(clerks!.from).toBe('desk@shop.test');
  const text = readable(clerks!);
  for (const words of [
    far.invoice,
    near.invoice,
    '₺1.234,50',
    '₺1,234.50',
    'son an',
    'until',
    '/cards/authorizations',
  ])
    expect(text).toContain(words);
  expect(readable(approvers!)).not.toContain(far.invoice);
  for (const mail of [clerks!, approvers!])
    expect(`${mail.body.replace(/^message-id:.*$/im, '')}${readable(mail)}`).not.toMatch(
      /4509|VP-77/,
    );
  await dueAgain();
  expect(await send(), 'sent once').toBe(0);
});

it('no mail goes to who is disabled, in this account or in another one of the same login', async () => {
  const login = (name: string | null, disabled: string | null) =>
    merchant.owner.query(
      `UPDATE people SET provider_user_id = $2, disabled_at = CASE WHEN role = $3 THEN now() END
        WHERE merchant_id = $1 AND role IN ('owner', 'auditor')`,
      [merchant.merchantId, name, disabled],
    );
  for (const disabled of ['auditor', 'owner']) {
    taken.length = 0;
    await hold(CAPTURE_HOURS - 20);
    await remind();
    await login('one login', disabled);
    expect(await send()).toBe(2);
    expect(taken.map(({ to }) => to).toSorted()).toEqual([['approver@test'], ['clerk@test']]);
    await login(null, null);
  }
});

it.each([
  ['that refuses it', { answer: '451 not now' }],
  ['that hangs up', { hangsUp: true }],
])(
  'a mail server %s is asked again, and after five times no more; the reminder stays on the screen',
  async (_what, manner) => {
    const { id } = await hold(CAPTURE_HOURS - 60);
    await remind();
    manners = manner;
    for (let n = 1; n <= 5; n += 1) {
      expect(await send()).toBe(0);
      // No mail is sent before the retry is due.
      expect(await send()).toBe(0);
      const { rows } = await merchant.owner.query(
        `SELECT mail_tries AS tries, mail_next_at > clock_timestamp() AS later, mailed_at
          FROM card_reminders WHERE payment_id = $1`,
        [id],
      );
      expect(rows).toEqual([{ tries: n, later: n < 5 ? true : null, mailed_at: null }]);
      await dueAgain();
    }
    manners = {};
    expect(await send()).toBe(0);
    expect(taken).toEqual([]);
    expect(
      (await web.reminders.openReminders(merchant.person('clerk'))).rows.map(
        (row) => row.paymentId,
      ),
    ).toContain(id);
  },
);

it('after a failure the mail goes out once the server is back', async () => {
  const { invoice } = await hold(CAPTURE_HOURS - 60);
  await remind();
  manners = { answer: '451 not now' };
  expect(await send()).toBe(0);
  manners = {};
  await dueAgain();
  expect(await send()).toBe(1);
  expect(readable(taken[0]!)).toContain(invoice);
});

it('a mail that was refused for one of its addresses is sent again', async () => {
  const { id } = await hold(CAPTURE_HOURS - 20);
  await remind();
  manners = { defers: 'owner@test' };
  expect(await send(), 'the one to the clerks').toBe(1);
  const mailed = async () =>
    (
      await merchant.owner.query(
        `SELECT audience, mailed_at IS NOT NULL AS mailed FROM card_reminders
          WHERE payment_id = $1 ORDER BY audience`,
        [id],
      )
    ).rows;
  expect(await mailed()).toEqual([
    { audience: 'approver', mailed: false },
    { audience: 'clerk', mailed: true },
  ]);
  manners = {};
  await dueAgain();
  expect(await send()).toBe(1);
  expect(taken.at(-1)!.to).toEqual(['approver@test', 'owner@test']);
});

it('a hold that was seen or taken before its mail went out is not mailed', async () => {
  const [seen, done] = [await hold(CAPTURE_HOURS - 60), await hold(CAPTURE_HOURS - 60)];
  await remind();
  await web.seeReminder.markReminderSeen(merchant.person('clerk'), seen.id);
  await merchant.owner.query(`UPDATE card_payments SET state = 'captured' WHERE id = $1`, [
    done.id,
  ]);
  expect(await send()).toBe(0);
  expect(taken).toEqual([]);
});

it('names no moment that has passed, at the first try or at a later one', async () => {
  const late = await hold(CAPTURE_HOURS + 2);
  const ending = await hold(CAPTURE_HOURS - 1);
  await remind();
  manners = { answer: '451 not now' };
  expect(await send()).toBe(0);
  manners = {};
  const inTime = await hold(CAPTURE_HOURS - 60);
  await remind();
  await merchant.owner.query(
    `UPDATE card_payments SET held_since = held_since - interval '1 hour' WHERE id = $1`,
    [ending.id],
  );
  await dueAgain();
  expect(await send(), 'one to the clerks').toBe(1);
  const text = readable(taken[0]!);
  expect(text).toContain(inTime.invoice);
  for (const { id, invoice } of [late, ending]) {
    expect(text).not.toContain(invoice);
    expect(
      (
        await merchant.owner.query(
          `SELECT DISTINCT mail_next_at, mailed_at FROM card_reminders WHERE payment_id = $1`,
          [id],
        )
      ).rows,
    ).toEqual([{ mail_next_at: null, mailed_at: null }]);
  }
});

it('goes to nobody who has chosen to get none', async () => {
  await hold(CAPTURE_HOURS - 20);
  await remind();
  expect(await send(merchant.person('clerk').personId, merchant.person('owner').personId)).toBe(1);
  expect(taken.map((mail) => mail.to)).toEqual([['approver@test']]);
});

it('where no mail is configured none is due', async () => {
  const { id } = await hold(CAPTURE_HOURS - 60);
  await worker.remind.remindOfAuthorizations(merchant.merchantId, { mails: false });
  expect(
    (
      await merchant.owner.query('SELECT mail_next_at FROM card_reminders WHERE payment_id = $1', [
        id,
      ])
    ).rows,
  ).toEqual([{ mail_next_at: null }]);
});

it('no name, however hostile, adds a header or a recipient to a mail, or turns its subject around', async () => {
  const breaks = [
    '\r\n',
    '\n',
    '\r',
    '\u0000',
    '\u0085',
    '\u2028',
    '\u2029',
    '\t',
    '\u000b',
    '\u202e',
  ];
  const payloads = [
    'Bcc: thief@evil.test',
    'To: thief@evil.test',
    'Content-Type: text/html',
    '\r\n\r\n<b>body</b>',
    '=?UTF-8?B?DQpCY2M6IHRoaWVmQGV2aWwudGVzdA==?=',
  ];
  const names = breaks.flatMap((one) => payloads.map((payload) => `K20261122-1${one}${payload}`));
  expect(names).toHaveLength(50);
  for (const name of names) {
    await mailer.send({
      to: ['owner@shop.test'],
      subject: `Ön provizyon ${name}`,
      text: `Text ${name}`,
    });
    const mail = taken.pop()!;
    const [, body = ''] = mail.body.split(/\r?\n\r?\n/, 2);
    expect(
      /base64/i.test(mail.body)
        ? Buffer.from(body, 'base64').toString()
        : body.replace(/=E2=80=AE/g, '\u202e'),
      'its text',
    ).not.toContain('\u202e');
    expect(mail.to, JSON.stringify(name)).toEqual(['owner@shop.test']);
    const head = mail.body
      .split(/\r?\n\r?\n/, 1)[0]!
      .split(/\r?\n(?![ \t])/)
      .map((line) => line.split(':', 1)[0]!.toLowerCase());
    expect(head.toSorted(), JSON.stringify(name)).toEqual([
      'content-transfer-encoding',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
    ]);
    expect(mail.body).toMatch(/content-type: text\/plain/i);
  }
});
