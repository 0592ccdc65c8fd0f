import 'server-only';
import type { Person, Role } from '#lib/access/actor.ts';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import type { Senior, Word } from './standing.ts';

export type Subject = {
  kind:
    | 'movement'
    | 'plan_charge'
    | 'send_switch'
    | 'person'
    | 'invitation'
    | 'policy'
    | 'deputy'
    | 'api_key';
  id: string;
};

/**
 * The question that two people decide. `boundTo`: the content and state that it is about;
 * statements about another state do not count.
 */
export type Question = { subject: Subject; boundTo: string; makerId: string | null; needs: Senior };

/**
 * A person's statement. `claim` null withdraws an earlier one. `evidence`: the facts known at that
 * time.
 */
export type Statement = {
  claim: string | null;
  reason: string;
  reference: string | null;
  evidence: Record<string, string | number | boolean | null>;
};

/**
 * Roles whose statements count; the statements of a person who has lost such a role, or whose login
 * is disabled, no longer count. The table's guard enforces the same.
 */
const SPEAKERS: Readonly<Record<Subject['kind'], readonly Role[]>> = {
  movement: ['clerk', 'approver', 'owner'],
  plan_charge: ['clerk', 'approver', 'owner'],
  send_switch: ['approver', 'owner'],
  person: ['approver', 'owner'],
  invitation: ['approver', 'owner'],
  policy: ['approver', 'owner'],
  deputy: ['approver', 'owner'],
  api_key: ['approver', 'owner'],
};

export const SUBJECT_KINDS = Object.keys(SPEAKERS) as Subject['kind'][];

export function speakersOf(kind: Subject['kind']): Role[] {
  return [...SPEAKERS[kind]];
}

/**
 * The open request with its statements so far. The caller holds the lock on the subject's row, so
 * none is added meanwhile.
 */
export type OpenRequest = { id: string; boundTo: string; words: Word[]; now: number };

type FoundWord = Row<'second_person_requests', 'id' | 'bound_to'> &
  Row<'people', 'name'> &
  Row<'second_person_words', 'claim' | 'reason' | 'reference' | 'at'> & {
    now: Date;
    person_id: string | null;
    role: Role;
  };

/** Null when no request is open for this subject. */
export async function openRequest(tx: Tx, { kind, id }: Subject): Promise<OpenRequest | null> {
  const rows = await tx.$queryRaw<FoundWord[]>`
    SELECT r.id, r.bound_to, clock_timestamp() AS now, w.person_id, p.name, p.role, w.claim,
      w.reason, w.reference, w.at
    FROM second_person_requests r LEFT JOIN second_person_words w ON w.request_id = r.id 
      LEFT JOIN people p ON p.id = w.person_id AND NOT ${IS_DISABLED_P}
        AND p.role = ANY(${speakersOf(kind)}::text[])
    WHERE r.subject_kind = ${kind} AND r.subject_id = ${id} AND r.closed_at IS NULL ORDER BY w.id`;
  const [first] = rows;
  if (!first) return null;
  const words = rows.flatMap((row): Word[] =>
    row.person_id === null || row.name === null
      ? []
      : [
          {
            personId: row.person_id,
            name: row.name,
            role: row.role,
            claim: row.claim,
            reason: row.reason,
            reference: row.reference,
            at: row.at.getTime(),
          },
        ],
  );
  return { id: first.id, boundTo: first.bound_to, words, now: first.now.getTime() };
}

/**
 * Adds a person's statement, in the caller's transaction, to the open request or to a new one: a
 * request whose subject has changed since is closed first.
 *
 * @throws Refusal maker_has_no_word; second_person_needed: another account of the same login has spoken
 */
export async function addWord(
  tx: Tx,
  actor: Person,
  question: Question,
  statement: Statement,
): Promise<OpenRequest> {
  const { subject, boundTo, makerId, needs } = question;
  const accounts = await accountsOf(tx, actor);
  if (makerId !== null && accounts.includes(makerId)) throw new Refusal('maker_has_no_word');
  const open = await openRequest(tx, subject);
  if (statement.claim !== null && open?.boundTo === boundTo && isSaid(open.words, actor, accounts))
    throw new Refusal('second_person_needed');
  if (open !== null && open.boundTo !== boundTo) await closeRequest(tx, open.id, null);
  const id =
    open?.boundTo === boundTo
      ? open.id
      : await insertRequest(tx, actor, { subject, boundTo, makerId, needs });
  await tx.$executeRaw`
    INSERT INTO second_person_words (merchant_id, request_id, person_id, claim, reason, reference,
      evidence)
    VALUES (${actor.merchantId}::uuid, ${id}::uuid, ${actor.personId}::uuid, ${statement.claim},
      ${storable(statement.reason)}, ${storable(statement.reference)}, ${JSON.stringify(statement.evidence)}::jsonb)`;
  const now = await openRequest(tx, subject);
  if (now === null) throw new Error('a stored request cannot be read back');
  return now;
}

/** The person, and every other account of the same login: together they are one person. */
async function accountsOf(tx: Tx, { personId }: Person): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT one::text AS id FROM same_login(${personId}::uuid) AS one`;
  return rows.map(({ id }) => id);
}

function isSaid(
  words: readonly Word[],
  { personId }: Person,
  accounts: readonly string[],
): boolean {
  const latest = new Map(words.map((word) => [word.personId, word.claim]));
  return accounts.some((id) => id !== personId && (latest.get(id) ?? null) !== null);
}

async function insertRequest(
  tx: Tx,
  { merchantId }: Person,
  { subject, boundTo, makerId, needs }: Question,
): Promise<string> {
  const [row] = await tx.$queryRaw<[Row<'second_person_requests', 'id'>]>(sql`
    INSERT INTO second_person_requests (merchant_id, subject_kind, subject_id, bound_to, maker_id,
      needs, opened_at)
    VALUES (${merchantId}::uuid, ${subject.kind}, ${subject.id}, ${boundTo}, ${makerId}::uuid,
      ${needs}, clock_timestamp()) RETURNING id`);
  return row.id;
}

/**
 * Closes a request. `outcome` null: its subject has changed. The table's guard checks an outcome
 * again.
 */
export async function closeRequest(tx: Tx, id: string, outcome: string | null): Promise<void> {
  await tx.$executeRaw`UPDATE second_person_requests SET closed_at = clock_timestamp(),
    outcome = ${outcome} WHERE id = ${id}::uuid`;
}
