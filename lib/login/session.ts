import 'server-only';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { cache } from 'react';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { decode } from 'next-auth/jwt';
import type { Person, Role } from '#lib/access/actor.ts';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { audit } from '#lib/audit/append.ts';
import { inOne, inTransaction, kept, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { merchantId } from '#lib/access/merchant.ts';
import { publish } from '#lib/live/publish.ts';
import { callerAddress } from '#lib/runtime/origin.ts';
import { seal } from '#lib/runtime/seal.ts';
import type { Cause } from '#lib/send-control/stops.ts';
import { REDRAW_HEADER } from './redraw.ts';
import { endSessionsOf, IDLE_MINUTES, listSessionsOf } from './open-sessions.ts';
import type { OpenSession } from './open-sessions.ts';
import { cookieName, workspace } from '#lib/runtime/workspace.ts';

export const SESSION_SECONDS = 12 * 60 * 60;
const MAX_SESSIONS = 3;
const TOUCH_SECONDS = 30;
const ID_BYTES = 32;

export function sessionCookie(): Cookie {
  return hostCookie('sid', 'lax');
}

/** The browser's part of a sign-in between its two steps: only a secret that finds our row. */
export function challengeCookie(): Cookie {
  return hostCookie('challenge', 'strict');
}

/** Identifies a browser that has signed in before. It grants no access (`lib/login/device.ts`). */
export function deviceCookie(): Cookie {
  return hostCookie('device', 'strict');
}

type Cookie = {
  name: string;
  options: { httpOnly: true; sameSite: 'lax' | 'strict'; path: '/'; secure: boolean };
};

function hostCookie(name: string, sameSite: 'lax' | 'strict'): Cookie {
  return {
    name: cookieName(name),
    options: { httpOnly: true, sameSite, path: '/', secure: workspace().secure },
  };
}

/**
 * The signed-in person, checked against the database on every call: a revoked session, a disabled
 * login or a changed role takes effect on the next call. Null when nobody is signed in. `touch:
 * false` for background calls, which do not keep a session alive.
 */
export async function currentPerson(
  options: { touch: boolean } = { touch: true },
): Promise<Person | null> {
  const id = await sessionId();
  return id === null
    ? null
    : options.touch
      ? personTouching(id)
      : ((await sessionOf(id, false))?.person ?? null);
}

/** Whether a person whose session has just ended was disabled. */
export async function isDisabled({
  merchantId: merchant,
  personId,
}: Pick<Person, 'merchantId' | 'personId'>): Promise<boolean> {
  const [row] = await inOne<{ disabled: boolean }>(
    merchant,
    sql`SELECT ${IS_DISABLED_P} AS disabled FROM people p WHERE p.id = ${personId}::uuid`,
  );
  return row?.disabled ?? false;
}

/**
 * The signed-in person and the database snapshot of this reading, for a stream that follows on from
 * it. Does not keep the session alive.
 */
export async function readSession(): Promise<{ person: Person; snapshot: string } | null> {
  const id = await sessionId();
  return id === null ? null : sessionOf(id, false);
}

/**
 * The database snapshot of the reading of the page's session, which comes before everything that the
 * page shows. A change that it did not see may be missing on the page. Null when nobody is signed in.
 */
export async function pageSnapshot(): Promise<string | null> {
  const id = await sessionId();
  return id === null ? null : ((await sessionTouching(id))?.snapshot ?? null);
}

/**
 * Why sending is stopped now. Loaded together with the person, because every page shows it. Empty
 * when nobody is signed in.
 */
export async function causesOfStop(): Promise<readonly Cause[]> {
  const id = await sessionId();
  return id === null ? [] : ((await sessionTouching(id))?.causes ?? []);
}

async function personTouching(id: string): Promise<Person | null> {
  return (await sessionTouching(id))?.person ?? null;
}

/** A redraw that no person caused does not keep the session alive. */
const sessionTouching = cache(async (id: string) =>
  sessionOf(id, !(await headers()).has(REDRAW_HEADER)),
);

async function sessionId(): Promise<string | null> {
  const token = (await cookies()).get(sessionCookie().name)?.value;
  if (!token) return null;
  const claims = await decode({ token, secret: env().authSecret }).catch(() => null);
  return typeof claims?.sid === 'string' ? claims.sid : null;
}

async function sessionOf(
  id: string,
  touch: boolean,
): Promise<{ person: Person; causes: readonly Cause[]; snapshot: string } | null> {
  const { ip } = await callerAddress();
  const merchant = merchantId();
  const [row] = await inOne<SessionRow>(
    merchant,
    kept(sql`
    SELECT s.id, s.merchant_id, s.person_id, p.name, p.email, p.role,
      deputy_for(p.id, clock_timestamp()) AS stands_in_for,
      s.last_seen_at < clock_timestamp() - make_interval(secs => ${TOUCH_SECONDS})
        AND current_setting('transaction_read_only') = 'off' AS stale,
          ARRAY(SELECT cause::text FROM send_switches WHERE off) AS causes,
          pg_current_snapshot()::text AS snapshot
    FROM sessions s JOIN people p ON p.id = s.person_id
    WHERE s.token_hash = ${hash(id)} AND s.revoked_at IS NULL AND NOT ${IS_DISABLED_P}
      AND s.expires_at > clock_timestamp()
        AND s.last_seen_at > clock_timestamp() - make_interval(mins => ${IDLE_MINUTES})`),
  );
  if (!row) return null;
  // A session that was ended meanwhile stays ended.
  if (touch && row.stale)
    await inTransaction(
      merchant,
      (tx) =>
        tx.$executeRaw`UPDATE sessions SET last_seen_at = clock_timestamp()
          WHERE id = ${row.id}::uuid AND revoked_at IS NULL`,
    );
  return {
    person: {
      kind: 'person',
      merchantId: row.merchant_id,
      personId: row.person_id,
      sessionId: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      standsInFor: row.stands_in_for,
      ip,
    },
    causes: row.causes,
    snapshot: row.snapshot,
  };
}

/**
 * Opens a session after both factors were verified, and ends the one used longest ago when it would be
 * one too many. Returns the id for the cookie; only its hash is stored.
 */
export async function openSession(
  tx: Tx,
  person: { id: string; name: string; email: string; role: Role },
  opened: {
    providerToken: string;
    ip: string | null;
    userAgent: string | null;
    deviceId: string | null;
  },
): Promise<string> {
  const id = randomBytes(ID_BYTES).toString('base64url');
  const rowId = randomUUID();
  const merchant = merchantId();
  const displaced = await tx.$queryRaw<(Row<'sessions', 'id'> & { live: boolean })[]>`
    UPDATE sessions s SET revoked_at = clock_timestamp() WHERE id IN (
      SELECT id FROM sessions WHERE person_id = ${person.id}::uuid AND revoked_at IS NULL
        AND expires_at > clock_timestamp()
      ORDER BY last_seen_at DESC OFFSET ${MAX_SESSIONS - 1})
    RETURNING id, s.last_seen_at > clock_timestamp() - make_interval(mins => ${IDLE_MINUTES}) AS live`;
  for (const session of displaced)
    await publish(tx, { merchantId: merchant }, { kind: 'session', id: session.id });
  await tx.$executeRaw`
    INSERT INTO sessions (id, merchant_id, person_id, token_hash, provider_sealed, ip, user_agent,
      device_id, expires_at)
    VALUES (${rowId}::uuid, ${merchant}::uuid, ${person.id}::uuid, ${hash(id)},
      ${seal('provider-token', rowId, opened.providerToken)},
      ${opened.ip}, ${opened.userAgent?.slice(0, 200) ?? null}, ${opened.deviceId}::uuid,
        clock_timestamp() + make_interval(secs => ${SESSION_SECONDS}))`;
  const actor: Person = {
    kind: 'person',
    merchantId: merchant,
    personId: person.id,
    sessionId: rowId,
    name: person.name,
    email: person.email,
    role: person.role,
    standsInFor: null,
    ip: opened.ip,
  };
  // One that was idle for too long had ended by itself.
  for (const one of displaced.filter(({ live }) => live))
    await audit(tx, actor, 'session.ended', `session:${one.id}`, { opened: rowId });
  await audit(tx, actor, 'session.opened', `session:${rowId}`);
  return id;
}

export async function listOwnSessions(actor: Person): Promise<OpenSession[]> {
  return listSessionsOf(actor, actor.personId);
}

/**
 * Ends one of the person's own sessions, or all of them (`'all'`: "sign out everywhere", including
 * this session). Returns the number ended: 0 for another person's session.
 */
export async function endSessions(actor: Person, which: string): Promise<number> {
  return inTransaction(actor.merchantId, (tx) => endSessionsOf(tx, actor, actor.personId, which));
}

type SessionRow = Row<'sessions', 'id' | 'merchant_id' | 'person_id'> &
  Row<'people', 'name' | 'email' | 'role', { role: Role }> & {
    stands_in_for: string | null;
    stale: boolean;
    causes: Cause[];
    snapshot: string;
  };

function hash(id: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(id).digest());
}

/**
 * The signed-in person of a page; anybody else is redirected to the sign-in and brought back
 * afterwards.
 */
export async function signedIn(): Promise<Person> {
  const person = await currentPerson();
  if (person) return person;
  const path = (await headers()).get('x-path') ?? '/';
  redirect(path === '/' ? '/login' : `/login?next=${encodeURIComponent(path)}`);
}
