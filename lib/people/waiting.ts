import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { readLimitClaim } from '#lib/policy/limits.ts';
import { ownLimits } from '#lib/policy/own-limits.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import type { Question } from '#lib/second-person/requests.ts';
import { WORD_LIFE_MS } from '#lib/second-person/standing.ts';
import type { PeopleSubject } from './confirm.ts';
import { limitView } from './limit-view.ts';
import type { LimitView } from './limit-view.ts';
import { openDeputyships } from './deputyship.ts';
import type { Deputyship } from './deputyship.ts';
import {
  askedOf,
  deputyQuestion,
  invitationQuestion,
  limitsQuestion,
  personQuestion,
} from './questions.ts';
import { readClaim } from './rules.ts';
import type { PersonChange } from './rules.ts';

/** A change that one person has asked for and a second one has to confirm. JSON-safe; times ISO. */
export type WaitingChange = {
  subject: PeopleSubject;
  /** A person's name (of a deputyship, the deputy's), or the invited address. */
  who: string;
  claim: string;
  change:
    | PersonChange
    | { kind: 'invite'; role: Role }
    | { kind: 'limit'; limit: LimitView }
    | { kind: 'deputy'; of: string; firstDay: string; lastDay: string };
  /** The role before; null where no role is changed. */
  was: Role | null;
  by: string;
  reason: string;
  at: string;
  /** When the first statement no longer counts. */
  until: string;
  /** The viewer asked for it, and can withdraw it. */
  own: boolean;
  can: { confirm: boolean; end: boolean };
};

/** All that waits for a second person, oldest first. */
export async function listWaitingChanges(actor: Person): Promise<WaitingChange[]> {
  assertMay(actor, 'people.read');
  return inTransaction(actor.merchantId, async (tx) => {
    const people = await tx.$queryRaw<StandingPerson[]>`
      SELECT p.id, p.name, p.role, p.disabled_at FROM people p JOIN second_person_requests r
        ON r.subject_kind = 'person' AND r.subject_id = p.id::text AND r.closed_at IS NULL`;
    const invitations = await tx.$queryRaw<StandingInvitation[]>`
      SELECT i.id, i.email, i.role FROM person_invitations i JOIN second_person_requests r
        ON r.subject_kind = 'invitation' AND r.subject_id = i.id::text AND r.closed_at IS NULL
      WHERE i.used_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > clock_timestamp()`;
    const limited = await tx.$queryRaw<Row<'people', 'id' | 'name'>[]>`
      SELECT p.id, p.name FROM people p JOIN second_person_requests r ON r.subject_kind = 'person'
        AND r.subject_id = p.id::text || ' limits' AND r.closed_at IS NULL`;
    const waiting: (WaitingChange | null)[] = [];
    for (const person of people) waiting.push(await waitingOfPerson(tx, actor, person));
    for (const person of limited) waiting.push(await waitingOfLimits(tx, actor, person));
    for (const invitation of invitations)
      waiting.push(await waitingOfInvitation(tx, actor, invitation));
    for (const one of await openDeputyships(tx))
      if (one.confirmed_at === null) waiting.push(await waitingOfDeputy(tx, actor, one));
    return waiting
      .filter((one) => one !== null)
      .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  });
}

/** How many changes wait for this person to confirm them, for the menu. */
export async function countChangesToConfirm(actor: Person): Promise<number> {
  if (!may(actor.role, 'people.confirm')) return 0;
  return (await listWaitingChanges(actor)).filter(({ can }) => can.confirm).length;
}

type StandingPerson = Row<'people', 'id' | 'name' | 'role' | 'disabled_at', { role: Role }>;

export async function waitingOfPerson(
  tx: Tx,
  actor: Person,
  person: StandingPerson,
): Promise<WaitingChange | null> {
  const subject = { kind: 'person', id: person.id } as const;
  const found = await waitingOf(tx, actor, personQuestion(person), subject);
  const change = found && readClaim(found.claim);
  if (found === null || change === null) return null;
  const isAboutSelf = person.id === actor.personId;
  return {
    ...found,
    who: person.name,
    change,
    was: person.role,
    can: isAboutSelf ? { confirm: false, end: false } : found.can,
  };
}

/** A limit of the person that waits for a second person; null when none does. */
export async function waitingOfLimits(
  tx: Tx,
  actor: Person,
  { id, name }: Pick<StandingPerson, 'id' | 'name'>,
): Promise<WaitingChange | null> {
  const question = limitsQuestion(id, await ownLimits(tx, id));
  const found = await waitingOf(tx, actor, question, { kind: 'limits', id });
  const limit = found && readLimitClaim(found.claim);
  if (found === null || limit === null) return null;
  const can = id === actor.personId ? { confirm: false, end: false } : found.can;
  return {
    ...found,
    who: name,
    change: { kind: 'limit', limit: limitView(limit) },
    was: null,
    can,
  };
}

async function waitingOfDeputy(
  tx: Tx,
  actor: Person,
  row: Deputyship,
): Promise<WaitingChange | null> {
  const subject = { kind: 'deputy', id: row.id } as const;
  const found = await waitingOf(tx, actor, deputyQuestion(row), subject);
  const { person: of, first_day: firstDay, last_day: lastDay } = row;
  return (
    found && {
      ...found,
      who: row.deputy,
      change: { kind: 'deputy', of, firstDay, lastDay },
      was: null,
    }
  );
}

type StandingInvitation = Row<'person_invitations', 'id' | 'email' | 'role', { role: Role }>;

async function waitingOfInvitation(
  tx: Tx,
  actor: Person,
  invitation: StandingInvitation,
): Promise<WaitingChange | null> {
  const subject = { kind: 'invitation', id: invitation.id } as const;
  const found = await waitingOf(tx, actor, invitationQuestion(invitation), subject);
  return (
    found && {
      ...found,
      who: invitation.email,
      change: { kind: 'invite', role: invitation.role },
      was: null,
      // An invitation is withdrawn in its own list.
      can: { confirm: found.can.confirm, end: false },
    }
  );
}

async function waitingOf(
  tx: Tx,
  actor: Person,
  question: Question,
  subject: PeopleSubject,
): Promise<Omit<WaitingChange, 'who' | 'change' | 'was'> | null> {
  const asked = await askedOf(tx, question);
  if (asked === null) return null;
  const own = asked.personId === actor.personId;
  const mayConfirm = may(actor.role, 'people.confirm');
  return {
    subject,
    claim: asked.claim,
    by: asked.name,
    reason: asked.reason,
    at: new Date(asked.at).toISOString(),
    until: new Date(asked.at + WORD_LIFE_MS).toISOString(),
    own,
    can: { confirm: mayConfirm && !own, end: mayConfirm },
  };
}
