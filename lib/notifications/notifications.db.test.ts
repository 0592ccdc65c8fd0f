import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storeBatch } from '#lib/access/testing/rows-to-hide.ts';
import { setColumns, storedMovement } from '#lib/movements/testing/stored.ts';
import { testMerchant } from '#lib/testing/database.ts';
import words from '../../messages/en/notifications.json' with { type: 'json' };
import { NOTIFICATION_KINDS } from './kinds.ts';
import { addDevice, addDifference, barOtherAccountOf, openTold } from './testing/product.ts';
import type { Told } from './testing/product.ts';

/** Who is told what, once; and that nobody reads what another person was told. */

/** The kinds whose text depends on whether it is proven that nothing was paid or sent. */
const OF_DOUBT = NOTIFICATION_KINDS.filter((kind) => words.kinds[kind].text.includes('{unproven,'));

let told: Told;
beforeEach(async () => {
  told = await openTold();
});
afterEach(() => told.close());

const ago = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const newest = async () =>
  (await told.web.list(told.merchant.person('clerk'), { view: 'all', place: null })).rows[0]!;

describe('a movement of mine', () => {
  it('that is rejected, fails or comes back is told once to its maker, and to nobody else', async () => {
    const { merchant, make, kindsOf } = told;
    const rejected = await told.rejected();
    await storedMovement(merchant, 'COMPLETED', { ended_at: ago(1) });
    await storedMovement(merchant, 'PENDING');
    expect(await make()).toBe(1);
    expect(await newest()).toMatchObject({
      kind: 'movement_rejected',
      href: `/payouts/${rejected}`,
      isRead: false,
      detail: { movement: 'payout', amount: '12345', currency: 'TRY', name: 'Ayşe Yılmaz' },
    });
    await storedMovement(merchant, 'FAILED', { ended_at: new Date() }, { kind: 'transfer_own' });
    expect(await make()).toBe(1);
    expect((await newest()).href).toMatch(/^\/transfers\//);
    const back = await storedMovement(merchant, 'COMPLETED', { ended_at: ago(60) });
    await setColumns(merchant, back, { returned: 'REPORTED', returned_at: new Date() });
    expect(await make(), 'a return that is only reported').toBe(0);
    await setColumns(merchant, back, { returned: 'CONFIRMED' });
    expect(await make()).toBe(1);
    expect(await make()).toBe(0);
    expect(await kindsOf('clerk')).toEqual([
      'movement_returned',
      'movement_failed',
      'movement_rejected',
    ]);
    for (const role of ['approver', 'owner', 'support', 'auditor'] as const)
      expect(await kindsOf(role), role).toEqual([]);
    expect(
      JSON.stringify(await told.query('SELECT detail FROM notifications WHERE merchant_id = $1')),
    ).not.toMatch(/TR\d{24}/);
  });

  it('whose outcome is unknown is told after 30 minutes, not before and not once it is known', async () => {
    const { merchant, make, kindsOf } = told;
    const unknownFor = async (minutes: number): Promise<string> => {
      const id = await storedMovement(merchant, 'SUBMITTING');
      await setColumns(merchant, id, {
        state: 'UNKNOWN',
        ever_ambiguous: true,
        unclear_since: ago(minutes),
      });
      return id;
    };
    await unknownFor(29);
    await setColumns(merchant, await unknownFor(31), { state: 'PENDING' });
    expect(await make()).toBe(0);
    const id = await unknownFor(31);
    expect(await make()).toBe(1);
    expect(await make()).toBe(0);
    expect((await newest()).href).toBe(`/payouts/${id}`);
    expect(await kindsOf('clerk')).toEqual(['movement_unknown']);
  });

  it('is not said to be unpaid where a record contradicts it, or a restore may have lost a send', async () => {
    const { merchant, make, query } = told;
    const [id, refused] = [await told.rejected(), await told.rejected()];
    await make();
    const unproven = async () => {
      const { rows } = await told.web.list(merchant.person('clerk'), { view: 'all', place: null });
      return [id, refused].map(
        (one) => rows.find(({ href }) => href.endsWith(one))!.detail['unproven'] ?? null,
      );
    };
    expect(await unproven()).toEqual([null, null]);
    await setColumns(merchant, id, { alert: 'contradiction' });
    expect(await unproven(), 'a record says that it was paid').toEqual(['yes', null]);
    await query(
      `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at, ended_at)
        VALUES ($1, 'asked', now(), now(), now(), now(), now())`,
    );
    await setColumns(merchant, refused, { last_send_at: new Date(Date.now() + 1_000) });
    expect(await unproven(), 'refused after a restore').toEqual(['yes', 'yes']);
  });

  it('is told to nobody when it is older than a week, and not mailed when older than a day', async () => {
    const { merchant, make } = told;
    await storedMovement(merchant, 'REJECTED', { ended_at: ago(8 * 24 * 60) });
    await storedMovement(merchant, 'REJECTED', { ended_at: ago(2 * 24 * 60) });
    expect(await make()).toBe(1);
    expect(
      await told.query('SELECT mail_due_at FROM notifications WHERE merchant_id = $1'),
    ).toEqual([{ mail_due_at: null }]);
  });

  it('is not told to a maker who is disabled', async () => {
    await told.rejected();
    await told.query(`UPDATE people SET disabled_at = now() WHERE merchant_id = $1`);
    expect(await told.make()).toBe(0);
  });

  it('is not told to a maker who is disabled in another account of the same login', async () => {
    await told.rejected();
    await barOtherAccountOf(told, 'clerk');
    expect(await told.make()).toBe(0);
  });
});

it.each(OF_DOUBT)(
  'the kind %s says unpaid or unsent of nothing that is not proven',
  async (kind) => {
    const { merchant, query } = told;
    const clerk = merchant.person('clerk');
    const movement = await storedMovement(merchant, 'CANCELLED', { alert: 'contradiction' });
    await storeBatch(merchant);
    const [batch] = await query('SELECT id FROM batches WHERE merchant_id = $1');
    const thing = kind.startsWith('batch_') ? `batch:${batch!['id']}` : `movement:${movement}`;
    await query(
      `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at, ended_at)
      VALUES ($1, 'asked', clock_timestamp(), now(), now(), now(), now())`,
    );
    expect(await told.web.unproven(clerk, [{ kind, thing }])).toEqual(new Set([thing]));
  },
);

it('a kind that fails keeps no other one back, and its fault is thrown', async () => {
  // The module that the other worker has loaded.
  const { SOURCES } = await import('./sources.ts');
  vi.spyOn(SOURCES, 'movement_rejected').mockImplementation(() => {
    throw new Error('out of time');
  });
  await addDifference(told, '2026-03-05');
  const made = told.other.make(told.merchant.merchantId, { mails: false });
  await expect(made).rejects.toThrow('out of time');
  expect(await told.kindsOf('owner')).toEqual(['difference_found']);
});

describe('other facts', () => {
  it('a difference is told once a day to who may act on it, and not while its day is compared', async () => {
    const { make, kindsOf, query } = told;
    await addDifference(told, '2026-03-05');
    await addDifference(told, '2026-03-05');
    await query(
      `UPDATE reconciliations SET lease_until = now() + interval '1 hour' WHERE merchant_id = $1`,
    );
    expect(await make()).toBe(0);
    await query(`UPDATE reconciliations SET lease_until = NULL WHERE merchant_id = $1`);
    expect(await make()).toBe(2);
    await addDifference(told, '2026-03-05');
    expect(await make(), 'one more of the same day').toBe(0);
    for (const role of ['clerk', 'support', 'auditor'] as const)
      expect(await kindsOf(role), role).toEqual([]);
    const [row] = (
      await told.web.list(told.merchant.person('approver'), { view: 'all', place: null })
    ).rows;
    expect(row).toMatchObject({
      href: '/reports/reconciliation/2026-03-05',
      detail: { day: '2026-03-05', count: 2 },
    });
    expect(await kindsOf('owner')).toEqual(['difference_found']);
  });

  it('a difference found after midnight in Istanbul is told as one of the new day', async () => {
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
    await addDifference(told, '2026-03-05', new Date(`${day}T20:30:00Z`));
    expect(await told.make()).toBe(2);
    await addDifference(told, '2026-03-05', new Date(`${day}T21:30:00Z`));
    expect(await told.make(), 'half an hour after midnight').toBe(2);
    const night = new Date(Date.parse(`${day}T21:30:00Z`) + 4 * 3_600_000);
    await addDifference(told, '2026-03-05', night);
    expect(await told.make(), 'the same night').toBe(0);
  });

  it('an authorization is told to the people of its reminder, and mailed by the reminders alone', async () => {
    const { make, kindsOf, query } = told;
    await query(
      `WITH p AS (INSERT INTO card_payments (merchant_id, invoice_id, source, state, held_seen,
          amount_minor, held_since) VALUES ($1, 'K-1', 'notice', 'held', true, 100, now())
          RETURNING id)
        INSERT INTO card_reminders (merchant_id, payment_id, hours, audience)
        SELECT $1, id, 24, audience FROM p, unnest('{clerk,approver}'::text[]) AS audience`,
    );
    expect(await make()).toBe(3);
    for (const role of ['clerk', 'approver', 'owner'] as const)
      expect(await kindsOf(role), role).toEqual(['authorization_lapses']);
    expect(await kindsOf('auditor')).toEqual([]);
    expect(
      await query(
        `SELECT id FROM notifications WHERE merchant_id = $1 AND mail_due_at IS NOT NULL`,
      ),
      'no second mail',
    ).toEqual([]);
  });

  it('a sign-in from a new device is told to that person, and the first device of a new person is not', async () => {
    const { make, kindsOf, query } = told;
    await addDevice(told, 'support');
    expect(await make(), 'the first device').toBe(0);
    await addDevice(told, 'support');
    expect(await make()).toBe(1);
    expect(await kindsOf('support')).toEqual(['new_device']);
    expect(await kindsOf('owner')).toEqual([]);
    await query(
      `UPDATE people SET created_at = now() - interval '1 year' WHERE merchant_id = $1
        AND role = 'auditor'`,
    );
    await addDevice(told, 'auditor');
    expect(await make(), 'the first one known of somebody who is here for long').toBe(1);
  });
});

it('two workers at once, and again and again, make each notification once', async () => {
  const { merchant, worker, other } = told;
  for (let n = 0; n < 12; n += 1) await told.rejected();
  await addDifference(told, '2026-03-05');
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      (n % 2 === 0 ? worker : other).make(merchant.merchantId, { mails: true }),
    ),
  );
  expect(made.reduce((sum, one) => sum + one, 0)).toBe(14);
  expect(await told.web.count(merchant.person('clerk'))).toBe(12);
});

describe('reading', () => {
  it('one or all is for oneself: neither a colleague nor another merchant reads or marks mine', async () => {
    const { merchant, web } = told;
    await told.rejected();
    await told.rejected();
    await told.make();
    const theirs = await testMerchant();
    const clerk = merchant.person('clerk');
    const { rows, now } = await web.list(clerk, { view: 'unread', place: null });
    expect(rows).toHaveLength(2);
    for (const stranger of [merchant.person('owner'), theirs.person('clerk')]) {
      expect(await web.count(stranger)).toBe(0);
      expect((await web.list(stranger, { view: 'all', place: null })).rows).toEqual([]);
      await expect(web.read(stranger, rows[0]!.id)).rejects.toThrow('not_found');
      await web.readAll(stranger, now);
    }
    // As if somebody of the other merchant called with my own id.
    const forged = { ...clerk, merchantId: theirs.merchantId };
    expect(await web.count(forged)).toBe(0);
    await expect(web.read(forged, rows[0]!.id)).rejects.toThrow('not_found');
    expect(await web.count(clerk)).toBe(2);
    await web.read(clerk, rows[0]!.id);
    await web.read(clerk, rows[0]!.id);
    expect(await web.count(clerk)).toBe(1);
    await told.rejected();
    const hourAgo = new Date(Date.now() - 3_600_000);
    await storedMovement(merchant, 'REJECTED', { ended_at: hourAgo });
    await told.make();
    await web.readAll(clerk, now);
    expect(await web.count(clerk), 'told after the page was drawn').toBe(2);
    for (const id of ['', 'x', '7f0e3a52-0000-4000-8000-00000000aaaa'])
      await expect(web.read(clerk, id)).rejects.toThrow('not_found');
    await theirs.close();
  });

  it('all of a page leaves unread what was being made while the page was drawn', async () => {
    const { merchant, web } = told;
    const clerk = merchant.person('clerk');
    await told.rejected();
    await told.make();
    const making = await merchant.owner.connect();
    try {
      await making.query('BEGIN');
      await making.query(
        `INSERT INTO notifications (merchant_id, person_id, kind, thing, detail, at, in_app)
          VALUES ($1, $2, 'movement_failed', 'movement:1', '{}', now(), true)`,
        [merchant.merchantId, clerk.personId],
      );
      const { counts, until } = await web.list(clerk, { view: 'all', place: null });
      expect(counts.all).toBe(1);
      await making.query('COMMIT');
      await web.readAll(clerk, until);
    } finally {
      making.release();
    }
    const { rows } = await web.list(clerk, { view: 'unread', place: null });
    expect(rows.map(({ kind }) => kind)).toEqual(['movement_failed']);
  });

  it('all of a page marks nothing that was made between its two readings and is not shown', async () => {
    const { merchant, web } = told;
    const clerk = merchant.person('clerk');
    await told.rejected();
    await told.make();
    const { inOne } = web.process.db;
    let before: Promise<unknown> = Promise.resolve();
    // The page's readings are made one after the other, and one more is made in between.
    const readings = vi.spyOn(web.process.db, 'inOne').mockImplementation((...given) => {
      const turn = before.then(async () => {
        const rows = await inOne(...given);
        await told.rejected();
        await told.make();
        return rows as never;
      });
      before = turn;
      return turn;
    });
    const { rows, until } = await web.list(clerk, { view: 'all', place: null });
    readings.mockRestore();
    await web.readAll(clerk, until);
    const marked = await told.query(
      'SELECT id FROM notifications WHERE merchant_id = $1 AND read_at IS NOT NULL',
    );
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(marked.map(({ id }) => id)));
  });

  it('all of a page leaves unread what a newer version has written, which the page does not show', async () => {
    const { merchant, web } = told;
    const clerk = merchant.person('clerk');
    await told.rejected();
    await told.make();
    await told.query(
      `INSERT INTO notifications (merchant_id, person_id, kind, thing, detail, at, in_app)
        VALUES ($1, $2, 'of_a_newer_version', 'movement:1', '{}', now(), true)`,
      clerk.personId,
    );
    const later = new Date(Date.now() + 60_000).toISOString();
    expect((await web.list(clerk, { view: 'all', place: null })).counts.all).toBe(1);
    await web.readAll(clerk, later);
    expect(
      await told.query('SELECT kind FROM notifications WHERE merchant_id = $1 AND read_at IS NULL'),
    ).toEqual([{ kind: 'of_a_newer_version' }]);
  });

  it('walks the pages newest first, without a gap or a repetition, and back', async () => {
    const { merchant, web } = told;
    const clerk = merchant.person('clerk');
    // Many share one moment, so that the id decides.
    await told.query(
      `INSERT INTO notifications (merchant_id, person_id, kind, thing, detail, at, in_app)
        SELECT $1, $2, 'movement_rejected', 'movement:' || n, '{"movement": "payout"}',
          now() - make_interval(mins => n / 20), true FROM generate_series(1, 60) n`,
      clerk.personId,
    );
    const pages: string[][] = [];
    let page = await web.list(clerk, { view: 'all', place: null });
    for (;;) {
      pages.push(page.rows.map(({ id }) => id));
      if (page.older === null) break;
      page = await web.list(clerk, { view: 'all', place: page.older });
    }
    expect(pages.map((rows) => rows.length)).toEqual([25, 25, 10]);
    expect(new Set(pages.flat()).size).toBe(60);
    const back = await web.list(clerk, { view: 'all', place: page.newer });
    expect(back.rows.map(({ id }) => id)).toEqual(pages[1]);
  });
});

describe('the choice of channels', () => {
  it('holds for what happens from then on, for that person and kind', async () => {
    const { merchant, web } = told;
    const clerk = merchant.person('clerk');
    const all = (await web.view(clerk)).choices;
    expect(all.every(({ app, mail }) => app && mail)).toBe(true);
    const quiet = { from: '22:30', to: '07:00' };
    await web.choose(clerk, {
      app: ['movement_failed'],
      mail: ['movement_rejected'],
      push: [],
      quiet,
    });
    expect(await web.view(clerk)).toMatchObject({ quiet, hasMail: true });
    await told.rejected();
    await told.make();
    expect(await web.count(clerk), 'not in the app').toBe(0);
    expect(
      await told.query(
        `SELECT id FROM notifications WHERE merchant_id = $1 AND mail_due_at IS NOT NULL`,
      ),
    ).toHaveLength(1);
    await web.choose(clerk, {
      app: ['movement_rejected'],
      mail: [],
      push: [],
      quiet: { from: '', to: '' },
    });
    expect(await told.make(), 'the one of before').toBe(0);
    expect(await web.count(clerk)).toBe(0);
    await told.rejected();
    await told.make();
    expect(await web.count(clerk)).toBe(1);
    expect((await web.view(clerk)).quiet).toEqual({ from: '', to: '' });
    expect((await web.view(merchant.person('owner'))).choices.every(({ app }) => app)).toBe(true);
  });

  it('refuses hours that are none, and stores no kind of which the role is not told', async () => {
    const { merchant, web } = told;
    const auditor = merchant.person('auditor');
    for (const quiet of [
      { from: '22:00', to: '' },
      { from: '22:00', to: '22:00' },
      { from: '25:00', to: '07:00' },
    ])
      await expect(web.choose(auditor, { app: [], mail: [], push: [], quiet })).rejects.toThrow(
        'quiet_hours',
      );
    await web.choose(auditor, {
      app: ['difference_found', 'invented'],
      mail: [],
      push: [],
      quiet: { from: '', to: '' },
    });
    const kinds = await told.query(
      'SELECT kind FROM notification_choices WHERE merchant_id = $1 ORDER BY kind',
    );
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'approval_expired',
      'movement_failed',
      'movement_rejected',
      'movement_released',
      'movement_returned',
      'movement_sent_back',
      'movement_unknown',
      'new_device',
    ]);
  });
});

it('a read notification is kept 30 days, an unread one 180, and the database deletes none sooner', async () => {
  const { merchant, worker, query } = told;
  const add = (thing: string, days: number, readDays: number | null, inApp = true) =>
    query(
      `INSERT INTO notifications (merchant_id, person_id, kind, thing, detail, at, read_at, in_app)
        VALUES ($1, $2, 'movement_rejected', $3, '{}', now() - make_interval(days => $4),
          now() - make_interval(days => $5::int), $6)`,
      merchant.person('clerk').personId,
      thing,
      days,
      readDays,
      inApp,
    );
  await add('read long ago', 40, 31);
  await add('never shown', 31, null, false);
  await add('never read', 181, null);
  await add('read lately', 40, 29);
  await add('unread', 179, null);
  await add('not shown, new', 29, null, false);
  await worker.sweep(merchant.merchantId);
  await worker.process.db.inTransaction(
    merchant.merchantId,
    (tx) => tx.$executeRaw`DELETE FROM notifications`,
  );
  const left = await query('SELECT thing FROM notifications WHERE merchant_id = $1 ORDER BY thing');
  expect(left.map(({ thing }) => thing)).toEqual(['not shown, new', 'read lately', 'unread']);
});
