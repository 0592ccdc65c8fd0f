import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Person, Role } from '#lib/access/actor.ts';
import { storeBatch } from '#lib/access/testing/rows-to-hide.ts';
import { addPerson, adopt, aRule, openDesk, prepare } from '#lib/approvals/testing/desk.ts';
import type { Desk } from '#lib/approvals/testing/desk.ts';
import { rowOf } from '#lib/movements/testing/stored.ts';
import { runOut, storedDeputyship } from '#lib/people/testing/deputies.ts';
import type * as Change from '#lib/people/change.ts';
import type * as Confirm from '#lib/people/confirm.ts';
import type * as List from './list.ts';
import type * as Make from './make.ts';
import type * as MarkRead from './mark-read.ts';
import type * as SendMail from './send-mail.ts';

/** What is asked of a person is counted by the bell and mailed only while it waits for this person. */

/** There is one owner: nobody else can give the second approval. */
const FOR_TWO_OWNERS = { approvals: 2, who: 'owner' } as const;
const LARGE = 25_000_000n;

let desk: Desk;
let list: typeof List;
let make: typeof Make;
let mark: typeof MarkRead;
let mails: typeof SendMail;
let people: typeof Change & typeof Confirm;
let second: Person;
beforeAll(async () => {
  desk = await openDesk(async () => {
    list = await import('./list.ts');
    mark = await import('./mark-read.ts');
    people = {
      ...(await import('#lib/people/change.ts')),
      ...(await import('#lib/people/confirm.ts')),
    };
  });
  make = await import('./make.ts');
  mails = await import('./send-mail.ts');
  second = await addPerson(desk, 'approver');
  await adopt(desk, [aRule({ approvals: 2 }), aRule({ ...FOR_TWO_OWNERS, fromMinor: LARGE })]);
});
afterAll(() => desk.close());

const person = (role: Role) => desk.merchant.person(role);

async function asked(): Promise<string> {
  const id = await prepare(desk);
  await make.makeNotifications(desk.merchant.merchantId, { mails: false });
  return id;
}

/** Whether the notification is unread, by the bell, by its row, and by the list of unread ones. */
async function isUnread(actor: Person, id: string): Promise<boolean> {
  const read = (view: 'all' | 'unread') => list.listNotifications(actor, { view, place: null });
  const isOf = ({ href }: List.NotificationRow): boolean => href.endsWith(id);
  const [all, unread, bell] = [
    await read('all'),
    await read('unread'),
    await list.countUnreadNotifications(actor),
  ];
  const row = all.rows.find(isOf)!;
  expect(unread.rows.some(isOf)).toBe(!row.isRead);
  expect([all.counts.unread, unread.rows.length]).toEqual([bell, bell]);
  return !row.isRead;
}

const approve = async (actor: Person, id: string) =>
  desk.approve.approveMovement(actor, {
    id,
    seenHash: (await rowOf(desk.merchant, id)).content_hash as string,
  });

it('what a person has approved is read for this person, and waits for the others', async () => {
  const id = await asked();
  expect(await isUnread(person('approver'), id)).toBe(true);
  await approve(person('approver'), id);
  expect(await isUnread(person('approver'), id)).toBe(false);
  expect(await isUnread(person('owner'), id)).toBe(true);
  await approve(second, id);
  expect(await isUnread(person('owner'), id)).toBe(false);
});

it('what was withdrawn is read for everybody, and nothing is written for it', async () => {
  const id = await asked();
  await desk.web.cancel.cancelMovement(person('clerk'), id);
  expect(await isUnread(person('owner'), id)).toBe(false);
  const { rows } = await desk.merchant.owner.query(
    `SELECT FROM notifications WHERE thing = $1 AND read_at IS NOT NULL`,
    [`movement:${id}`],
  );
  expect(rows).toHaveLength(0);
});

it('what does not wait for a person is not marked with all, and is unread once it waits again', async () => {
  const named = await addPerson(desk, 'clerk');
  const approver = person('approver');
  const deputy = { ...named, standsInFor: approver.personId };
  const deputyship = await storedDeputyship(desk.merchant, deputy, approver);
  const id = await asked();
  expect(await isUnread(deputy, id)).toBe(true);
  await runOut(desk.merchant, deputyship);
  expect(await isUnread(named, id), 'after the deputyship').toBe(false);
  const { until } = await list.listNotifications(named, { view: 'all', place: null });
  await mark.markAllNotificationsRead(named, until);
  const again = await storedDeputyship(desk.merchant, deputy, approver, { fromDays: 0 });
  expect(await isUnread(deputy, id), 'as the deputy again').toBe(true);
  await mark.markAllNotificationsRead(deputy, until);
  expect(await isUnread(deputy, id)).toBe(false);
  await runOut(desk.merchant, again);
});

/** Mails what is due. Returns who has a mail with this text. */
async function mailedWith(): Promise<(text: string) => string[]> {
  const sent: { to: string[]; text: string }[] = [];
  const send = async (mail: { to: string[]; text: string }) => void sent.push(mail);
  await mails.mailNotifications(desk.merchant.merchantId, { send });
  return (part) => sent.flatMap(({ to, text }) => (text.includes(part) ? to : [])).toSorted();
}

it('is mailed to those whom it still waits for, and to nobody once it was withdrawn', async () => {
  const { merchantId } = desk.merchant;
  const [id, withdrawn] = [await prepare(desk), await prepare(desk)];
  await make.makeNotifications(merchantId, { mails: true });
  await approve(person('approver'), id);
  await desk.web.cancel.cancelMovement(person('clerk'), withdrawn);
  const about = await mailedWith();
  expect(about(id)).toEqual([person('owner').email, second.email].toSorted());
  expect(about(withdrawn)).toEqual([]);
});

it('is not mailed to who may approve nothing any more', async () => {
  const former = await addPerson(desk, 'approver');
  const id = await prepare(desk);
  await storeBatch(desk.merchant);
  const [off, on] = ['DISABLE', 'ENABLE'].map(
    (how) => `ALTER TABLE batch_runs ${how} TRIGGER USER`,
  );
  await desk.merchant.owner.query(`${off}; UPDATE batch_runs SET approved_at = NULL
    WHERE merchant_id = '${desk.merchant.merchantId}'; ${on}`);
  await make.makeNotifications(desk.merchant.merchantId, { mails: true });
  await desk.merchant.owner.query(`UPDATE people SET role = 'clerk' WHERE id = $1`, [
    former.personId,
  ]);
  const about = await mailedWith();
  for (const thing of [id, '/batches/']) {
    expect(about(thing)).toContain(second.email);
    expect(about(thing)).not.toContain(former.email);
  }
});

it('that too few people can approve is not mailed of one that was withdrawn', async () => {
  const [id, withdrawn] = [
    await prepare(desk, { amountMinor: LARGE }),
    await prepare(desk, { amountMinor: LARGE }),
  ];
  await make.makeNotifications(desk.merchant.merchantId, { mails: true });
  await desk.web.cancel.cancelMovement(person('clerk'), withdrawn);
  const about = await mailedWith();
  expect(about(id)).toEqual([person('owner').email]);
  expect(about(withdrawn)).toEqual([]);
});

it('what waits for a second person is not mailed once it has one', async () => {
  const { personId: id } = await addPerson(desk, 'clerk');
  const change = { kind: 'role', role: 'approver' } as const;
  const why = 'a bigger team';
  expect(await people.changePerson(person('owner'), id, change, why)).toBe('asked');
  await make.makeNotifications(desk.merchant.merchantId, { mails: true });
  await people.confirmPeopleChange(second, { kind: 'person', id }, 'role:approver');
  expect((await mailedWith())('/waiting')).toEqual([]);
});
