import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { columns, inOne, sql } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { kindsFor, notificationFacts } from './kinds.ts';
import type { NotificationKind } from './kinds.ts';
import { clockOf } from './quiet-hours.ts';

/** One kind with the person's channels. `waits`: whether it waits in quiet hours. */
export type NotificationChoice = {
  kind: NotificationKind;
  app: boolean;
  mail: boolean;
  push: boolean;
  waits: boolean;
};
/** `quiet`: times of day in the workspace's zone, empty without quiet hours. */
export type NotificationSettings = {
  choices: NotificationChoice[];
  quiet: { from: string; to: string };
  /** Whether this installation has a mail server; without one notifications are shown in the app alone. */
  hasMail: boolean;
};

const CHOSEN = columns('notification_choices', ['kind', 'app', 'mail', 'push']);
const QUIET = columns('notification_quiet_hours', ['from_minute', 'to_minute']);

/** The kinds of which the person's role is told, with what the person has chosen for each. */
export async function viewNotificationSettings(actor: Person): Promise<NotificationSettings> {
  const [chosen, [quiet]] = await Promise.all([
    inOne<RowOf<typeof CHOSEN>>(
      actor.merchantId,
      sql`SELECT ${CHOSEN} FROM notification_choices WHERE person_id = ${actor.personId}::uuid`,
    ),
    inOne<RowOf<typeof QUIET>>(
      actor.merchantId,
      sql`SELECT ${QUIET} FROM notification_quiet_hours WHERE person_id = ${actor.personId}::uuid`,
    ),
  ]);
  const choices = kindsFor(actor.role).map((kind) => {
    const { defaults, waitsInQuietHours } = notificationFacts(kind);
    const { app, mail, push } = chosen.find((row) => row.kind === kind) ?? defaults;
    return { kind, app, mail, push, waits: waitsInQuietHours };
  });
  return {
    choices,
    quiet:
      quiet === undefined
        ? { from: '', to: '' }
        : { from: clockOf(quiet.from_minute), to: clockOf(quiet.to_minute) },
    hasMail: hasMail(),
  };
}

export function hasMail(): boolean {
  return env().smtpUrl !== null;
}

/**
 * The people who want no mail of a kind: for mails that another feature sends. Reads within the
 * merchant of the transaction.
 */
export async function whoWantsNoMail(tx: Tx, kind: NotificationKind): Promise<string[]> {
  const { defaults } = notificationFacts(kind);
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT p.id FROM people p LEFT JOIN notification_choices c
      ON c.person_id = p.id AND c.kind = ${kind}
    WHERE NOT coalesce(c.mail, ${defaults.mail}::boolean)`;
  return rows.map(({ id }) => id);
}
