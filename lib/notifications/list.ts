import 'server-only';
import { mayNow } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { waitsFor } from '#lib/approvals/waits-for.ts';
import { batchWaitsFor } from '#lib/batches/approval/waiting.ts';
import { countIn } from '#lib/runtime/count.ts';
import { columns, inOne, sql } from '#lib/runtime/db.ts';
import type { Prisma, RowOf } from '#lib/runtime/db.ts';
import { pageOf } from '#lib/values/keyset.ts';
import type { Paged } from '#lib/values/keyset.ts';
import { edgeOf } from './filter.ts';
import type { NotificationQuery } from './filter.ts';
import { NOTIFICATION_KINDS, notificationAddress } from './kinds.ts';
import type { Detail, NotificationKind } from './kinds.ts';
import { unprovenThings } from './unproven.ts';

const PAGE_ROWS = 25;

/** `at` is ISO; `href` is the page of the thing. */
export type NotificationRow = {
  id: string;
  kind: NotificationKind;
  detail: Detail;
  at: string;
  isRead: boolean;
  href: string;
};

export type NotificationPage = Paged<NotificationRow> & {
  /** Counts of all pages, whatever the filter. */
  counts: { all: number; unread: number };
  /** The moment up to which "mark all as read" means what this page shows or counts. */
  until: string;
  now: string;
};

const SHOWN = columns('notifications', ['id', 'kind', 'thing', 'detail', 'at']);

/**
 * What the app shows of this person's notifications. A kind that a newer version has written is
 * left out: this one has no words for it.
 */
export function isShownTo({ personId }: Person): Prisma.Sql {
  return sql`person_id = ${personId}::uuid AND in_app AND kind = ANY(${NOTIFICATION_KINDS}::text[])`;
}

/**
 * Whether it is unread. A request for an approval counts as read once it waits for this person no
 * longer: computed at each reading, nothing is stored for it.
 */
export function isUnread(actor: Person): Prisma.Sql {
  const mayApprove = mayNow(actor, 'movement.approve');
  const who = {
    id: sql`${actor.personId}::uuid`,
    role: sql`${actor.role}::text`,
    represented: sql`self.represented`,
  };
  const self = sql`(SELECT deputy_for(${actor.personId}::uuid, clock_timestamp()) AS represented) self`;
  return sql`(read_at IS NULL AND CASE kind
    WHEN ${'approval_asked' satisfies NotificationKind} THEN ${mayApprove}::boolean AND EXISTS (
      SELECT FROM movements m CROSS JOIN ${self}
      WHERE m.id = split_part(thing, ':', 2)::uuid AND ${waitsFor(who)})
    WHEN ${'batch_asked' satisfies NotificationKind} THEN ${mayApprove}::boolean AND EXISTS (
      SELECT FROM batches b JOIN batch_runs r ON r.batch_id = b.id CROSS JOIN ${self}
      WHERE b.id = split_part(thing, ':', 2)::uuid AND ${batchWaitsFor(who)})
    ELSE TRUE END)`;
}

/**
 * One page of the person's own notifications, newest first. No permission is asked for: what a
 * person was told stays theirs to read, and each page behind a link asks for its own.
 */
export async function listNotifications(
  actor: Person,
  { view, place }: NotificationQuery,
): Promise<NotificationPage> {
  const backwards = place?.side === 'before';
  const order = backwards ? sql`ASC` : sql`DESC`;
  const edge = place && edgeOf(place);
  const there = edge && sql`(${edge.at}::timestamptz, ${edge.id}::uuid)`;
  const beyond = there && (backwards ? sql`(at, id) > ${there}` : sql`(at, id) < ${there}`);
  // Counted before the rows are read: what `until` covers is then among them.
  const [about] = await inOne<{ all: number; unread: number; newest: Date | null; now: Date }>(
    actor.merchantId,
    sql`SELECT count(*)::int AS all, count(*) FILTER (WHERE ${isUnread(actor)})::int AS unread,
      max(made_at) AS newest, clock_timestamp() AS now FROM notifications WHERE ${isShownTo(actor)}`,
  );
  const found = await inOne<Found>(
    actor.merchantId,
    sql`SELECT ${SHOWN}, ${isUnread(actor)} AS unread FROM notifications
      WHERE ${isShownTo(actor)} AND ${view === 'unread' ? isUnread(actor) : sql`TRUE`} AND ${beyond ?? sql`TRUE`}
      ORDER BY at ${order}, id ${order} LIMIT ${PAGE_ROWS + 1}`,
  );
  const page = pageOf(found, place, PAGE_ROWS, (row) => `${row.at.toISOString()}_${row.id}`);
  const unproven = await unprovenThings(actor, page.rows);
  return {
    ...page,
    rows: page.rows.map((row) => toRow(row, unproven.has(row.thing))),
    counts: { all: about!.all, unread: about!.unread },
    // The newest that is counted, and no clock: one that is being made now has begun before.
    until: endOf(about!.newest ?? about!.now).toISOString(),
    now: about!.now.toISOString(),
  };
}

/** A moment of the database has microseconds, of which the driver reads the milliseconds. */
function endOf(moment: Date): Date {
  return new Date(moment.getTime() + 1);
}

/** The number that the bell shows. */
export async function countUnreadNotifications(actor: Person): Promise<number> {
  return countIn(
    actor.merchantId,
    sql`SELECT count(*)::int FROM notifications WHERE ${isShownTo(actor)} AND ${isUnread(actor)}`,
  );
}

type Found = RowOf<typeof SHOWN, { kind: NotificationKind; detail: Detail }> & { unread: boolean };

function toRow(
  { id, kind, thing, detail, at, unread }: Found,
  isUnproven: boolean,
): NotificationRow {
  return {
    id,
    kind,
    detail: isUnproven ? { ...detail, unproven: 'yes' } : detail,
    at: at.toISOString(),
    isRead: !unread,
    href: notificationAddress(kind, { thing, detail }),
  };
}
