import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { HELD_BY_KEY_R } from '#lib/batches/run/pause-key.ts';
import { isAlone } from '#lib/people/lock.ts';
import { askedOf } from '#lib/people/questions.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { WORD_LIFE_MS } from '#lib/second-person/standing.ts';
import { keyQuestion } from './question.ts';
import { keyState, NEEDS } from './rights.ts';
import type { KeyRight, KeyState } from './rights.ts';

/** A key as the page shows it. JSON-safe; times ISO. */
export type KeyRow = {
  id: string;
  name: string;
  prefix: string;
  rights: KeyRight[];
  /** Those that do nothing now, because the key's person may not do the same. */
  idleRights: KeyRight[];
  wallet: string | null;
  person: string;
  reason: string;
  madeAt: string;
  state: KeyState;
  /** Until when a second person can confirm it; null unless it waits. */
  until: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  /** The batches that a revocation would pause. */
  running: number;
  can: { confirm: boolean; revoke: boolean };
};

/** `alone`: nobody could be the second person, so that a new key works at once. */
export type Keys = { rows: KeyRow[]; can: { make: boolean }; alone: boolean };

/** Revoked keys leave the page after this; the audit log keeps them. */
const REVOKED_DAYS = 30;

type Found = Row<
  'api_keys',
  | 'id'
  | 'name'
  | 'prefix'
  | 'rights'
  | 'wallet'
  | 'person_id'
  | 'reason'
  | 'asked_at'
  | 'confirmed_at'
  | 'revoked_at'
  | 'last_used_at',
  { rights: KeyRight[] }
> & { person: string; role: Role; disabled: boolean; running: number };

/** The keys that work or wait, and those that were revoked lately; the newest first. */
export async function listKeys(actor: Person): Promise<Keys> {
  assertMay(actor, 'api.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const found = await tx.$queryRaw<Found[]>`
      SELECT k.id, k.name, k.prefix, k.rights, k.wallet, k.person_id, k.reason, k.asked_at,
        k.confirmed_at, k.revoked_at, k.last_used_at, p.name AS person, p.role,
        ${IS_DISABLED_P} AS disabled,
        (SELECT count(*)::int FROM api_intents i JOIN batch_runs r ON r.batch_id = i.subject_id
          WHERE i.api_key_id = k.id AND i.kind = 'batch' AND ${HELD_BY_KEY_R}) AS running
      FROM api_keys k JOIN people p ON p.id = k.person_id
      WHERE k.revoked_at IS NULL
        OR k.revoked_at > clock_timestamp() - make_interval(days => ${REVOKED_DAYS})
      ORDER BY k.revoked_at IS NOT NULL, k.asked_at DESC LIMIT 100`;
    const rows: KeyRow[] = [];
    for (const row of found) {
      const asked = row.confirmed_at === null ? await askedOf(tx, keyQuestion(row.id)) : null;
      rows.push(rowOf(actor, row, asked));
    }
    return { rows, can: { make: may(actor.role, 'api.manage') }, alone: await isAlone(tx, actor) };
  });
}

function rowOf(actor: Person, row: Found, asked: { at: number; personId: string } | null): KeyRow {
  const idleRights = row.rights.filter((right) => row.disabled || !may(row.role, NEEDS[right]));
  const state = keyState({
    confirmed: row.confirmed_at !== null,
    revoked: row.revoked_at !== null,
    asked: asked !== null,
    personMay: idleRights.length < row.rights.length,
  });
  const mayConfirm = may(actor.role, 'people.confirm');
  const isOpen = state === 'waiting' || state === 'lapsed';
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    rights: row.rights,
    idleRights,
    wallet: row.wallet,
    person: row.person,
    reason: row.reason,
    madeAt: row.asked_at.toISOString(),
    state,
    until: asked === null ? null : new Date(asked.at + WORD_LIFE_MS).toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    running: row.running,
    can: {
      confirm: mayConfirm && state === 'waiting' && asked?.personId !== actor.personId,
      revoke: state !== 'revoked' && (may(actor.role, 'api.manage') || (isOpen && mayConfirm)),
    },
  };
}
