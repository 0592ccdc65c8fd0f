import { randomUUID } from 'node:crypto';
import type { Role } from '#lib/access/actor.ts';
import { setColumns, storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/** The verbs of notifications as one process loads them. */
async function verbsOf(process: Process) {
  return {
    process,
    make: (await import('../make.ts')).makeNotifications,
    list: (await import('../list.ts')).listNotifications,
    count: (await import('../list.ts')).countUnreadNotifications,
    unproven: (await import('../unproven.ts')).unprovenThings,
    read: (await import('../mark-read.ts')).markNotificationRead,
    readAll: (await import('../mark-read.ts')).markAllNotificationsRead,
    choose: (await import('../choose.ts')).chooseNotifications,
    view: (await import('../choices.ts')).viewNotificationSettings,
    whoWantsNoMail: (await import('../choices.ts')).whoWantsNoMail,
    mail: (await import('../send-mail.ts')).mailNotifications,
    devices: await import('../push/devices.ts'),
    identity: await import('../push/identity.ts'),
    push: (await import('../push/send.ts')).pushNotifications,
    pushService: (await import('../push/service.ts')).pushService,
    sweep: (await import('#lib/worker/retention.ts')).sweep,
  };
}
type Verbs = Awaited<ReturnType<typeof verbsOf>>;

export type Told = {
  merchant: TestMerchant;
  web: Verbs;
  worker: Verbs;
  other: Verbs;
  /** Makes what is missing. Returns how many were made. */
  make(options?: { mails: boolean }): Promise<number>;
  /** The kinds that a role's person sees, newest first. */
  kindsOf(role: Role): Promise<string[]>;
  query(text: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  /** A movement of the clerk that was rejected. */
  rejected(): Promise<string>;
  close(): Promise<void>;
};

/** A merchant with a mail server, a web and two workers. */
export async function openTold(): Promise<Told> {
  const merchant = await testMerchant();
  Object.assign(process.env, { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'desk@shop.test' });
  const web = await verbsOf(await openProcess('dashboard_web'));
  const worker = await verbsOf(await openProcess('dashboard_worker'));
  const other = await verbsOf(await openProcess('dashboard_worker'));
  const query: Told['query'] = async (text, ...values) =>
    (await merchant.owner.query(text, [merchant.merchantId, ...values])).rows;
  return {
    merchant,
    web,
    worker,
    other,
    make: (options = { mails: true }) => worker.make(merchant.merchantId, options),
    kindsOf: async (role) =>
      (await web.list(merchant.person(role), { view: 'all', place: null })).rows.map(
        ({ kind }) => kind,
      ),
    query,
    rejected: () => storedMovement(merchant, 'REJECTED', { ended_at: new Date() }),
    close: async () => {
      await Promise.all([web, worker, other].map((side) => side.process.db.disconnect()));
      await merchant.close();
    },
  };
}

/** A movement of the clerk whose outcome is unknown for longer than half an hour. */
export async function addUnknown({ merchant }: Told): Promise<string> {
  const id = await storedMovement(merchant, 'SUBMITTING');
  await setColumns(merchant, id, {
    state: 'UNKNOWN',
    ever_ambiguous: true,
    unclear_since: new Date(Date.now() - 31 * 60_000),
  });
  return id;
}

/** Disables the auditor, whose login at the provider is also that of a role's person. */
export async function barOtherAccountOf({ query }: Told, role: Role): Promise<void> {
  await query(
    `UPDATE people SET disabled_at = CASE WHEN role = 'auditor' THEN now() END,
      provider_user_id = 'one login' WHERE merchant_id = $1 AND role IN ('auditor', $2)`,
    role,
  );
}

/** A difference of a day whose comparison has ended. */
export async function addDifference(
  { query }: Told,
  day: string,
  foundAt = new Date(),
): Promise<void> {
  await query(
    `INSERT INTO reconciliations (merchant_id, day, compared_at) VALUES ($1, $2, now())
      ON CONFLICT DO NOTHING`,
    day,
  );
  await query(
    `INSERT INTO differences (merchant_id, day, kind, reference, found_at)
      VALUES ($1, $2, 'missing', $3, $4)`,
    day,
    randomUUID(),
    foundAt,
  );
}

/** A device of a role's person, with the session that it was remembered in. */
export async function addDevice({ query, merchant }: Told, role: Role): Promise<void> {
  const { personId } = merchant.person(role);
  await query(
    `WITH d AS (INSERT INTO known_devices (id, merchant_id, person_id)
        VALUES (gen_random_uuid(), $1, $2) RETURNING id)
      INSERT INTO sessions (id, merchant_id, person_id, token_hash, provider_sealed, ip, user_agent,
        device_id, expires_at)
      SELECT gen_random_uuid(), $1, $2, sha256(d.id::text::bytea), '', '203.0.113.7',
        'Firefox/1 Windows', d.id, now() + interval '1 hour' FROM d`,
    personId,
  );
}
