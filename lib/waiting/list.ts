import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Permission, Person, Role } from '#lib/access/actor.ts';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { chargeQuestion } from '#lib/cards/recurring/charge-closing.ts';
import type { ChargeState } from '#lib/cards/recurring/charge.ts';
import { closeQuestion } from '#lib/movements/close-question.ts';
import { movementAddress } from '#lib/movements/kinds.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import { deputyQuestion, invitationQuestion } from '#lib/people/questions.ts';
import { databaseNow, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { speakersOf } from '#lib/second-person/requests.ts';
import type { Subject } from '#lib/second-person/requests.ts';
import { latestWords, standingOf, WORD_LIFE_MS } from '#lib/second-person/standing.ts';
import type { Senior, Word } from '#lib/second-person/standing.ts';
import { resumeQuestion } from '#lib/send-control/resume-question.ts';
import type { Cause, StoppableKind } from '#lib/send-control/stops.ts';
import { missingFrom } from './missing.ts';
import type { Colleague } from './missing.ts';
import { ABOUT_PERSON, presentOfPerson } from './person.ts';
import type { Present } from './person.ts';

/** The permission to read about each kind of subject; without it a person sees no row of it. */
const READS: Readonly<Record<Subject['kind'], Permission>> = {
  movement: 'movement.read',
  plan_charge: 'card.read',
  send_switch: 'movement.read',
  person: 'people.read',
  invitation: 'people.read',
  policy: 'policy.read',
  deputy: 'people.read',
  api_key: 'api.read',
};
const AT_ONCE = 200;

/** What the sentence of a row names: a kind, an amount of minor units as text, a name. */
export type WaitingFacts = Readonly<Record<string, string | null>>;

/** Something that one person has asked for and a second one has to confirm. Times ISO. */
export type WaitingItem = {
  id: string;
  kind: Subject['kind'];
  facts: WaitingFacts;
  /** What would happen; null when two people contradict each other. */
  claim: string | null;
  /** Everybody whose statement counts, the first one first. */
  by: string[];
  reason: string;
  at: string;
  /** When the oldest statement no longer counts. */
  until: string;
  /** `owner`: one of the two has to be an owner, and nobody of the first is. */
  missing: 'second_person' | 'senior' | 'owner' | 'contradicted';
  /** The names of those who may confirm it; empty when nobody can. */
  who: string[];
  /** The viewer said it, may be the second person, or only reads. */
  viewer: 'said' | 'may_confirm' | 'reads';
  href: string;
};

/** All that waits for a second person and that this person may read about, oldest first. */
export async function listWaiting(actor: Person): Promise<WaitingItem[]> {
  assertMay(actor, 'movement.read');
  const items = await inTransaction(actor.merchantId, async (tx) => {
    const requests = await openRequests(tx);
    const people = await tx.$queryRaw<Colleague[]>`
      SELECT p.id, p.name, p.role FROM people p WHERE NOT ${IS_DISABLED_P} ORDER BY p.name, p.id`;
    const now = (await databaseNow(tx)).getTime();
    const read: (WaitingItem | null)[] = [];
    for (const found of requests) read.push(await itemOf(tx, actor, found, { people, now }));
    return read.filter((one) => one !== null);
  });
  return items.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** How many rows this person may confirm, for the menu. */
export async function countToConfirm(actor: Person): Promise<number> {
  return (await listWaiting(actor)).filter(({ viewer }) => viewer === 'may_confirm').length;
}

type StoredWord = { personId: string; claim: string | null; reason: string; at: string };
type Found = Row<
  'second_person_requests',
  'id' | 'subject_kind' | 'subject_id' | 'bound_to' | 'maker_id' | 'needs',
  { subject_kind: Subject['kind']; needs: Senior }
> & {
  words: StoredWord[];
  subject: Record<string, string | null> | null;
};

/**
 * Open requests with their statements and the present facts of what they are about. One whose
 * statements no longer count stays open in the table and is left out here.
 */
async function openRequests(tx: Tx): Promise<Found[]> {
  return tx.$queryRaw<Found[]>(sql`
    SELECT r.id, r.subject_kind, r.subject_id, r.bound_to, r.maker_id, r.needs,
      (SELECT jsonb_agg(jsonb_build_object('personId', w.person_id, 'claim', w.claim,
        'reason', w.reason, 'at', w.at) ORDER BY w.id)
        FROM second_person_words w WHERE w.request_id = r.id) AS words,
      CASE r.subject_kind
        WHEN 'movement' THEN (SELECT jsonb_build_object('kind', m.kind, 'id', m.id,
          'contentHash', m.content_hash, 'state', m.state, 'sends', m.sends::text,
          'makerId', m.maker_id, 'cardPaymentId', m.card_payment_id,
          'amount', m.amount_minor::text, 'currency', m.currency,
          'name', coalesce(nullif(m.name, ''), m.invoice_id, '…' || right(m.to_wallet, 4)))
          FROM movements m WHERE m.id::text = r.subject_id)
        WHEN 'plan_charge' THEN (SELECT jsonb_build_object('id', c.id, 'state', c.state,
          'personId', c.person_id, 'planId', c.plan_id, 'amount', c.amount_minor::text,
          'currency', c.currency) FROM plan_charges c WHERE c.id::text = r.subject_id)
        WHEN 'send_switch' THEN (SELECT jsonb_build_object('kind', s.kind, 'cause', s.cause,
          'since', s.changed_at) FROM send_switches s
          WHERE s.off AND s.kind || ' ' || s.cause = r.subject_id)
        WHEN 'person' THEN (SELECT jsonb_build_object('id', p.id, 'name', p.name,
          'role', p.role, 'disabledAt', p.disabled_at, 'about', ${ABOUT_PERSON})
          FROM people p WHERE ${ABOUT_PERSON} IS NOT NULL)
        WHEN 'invitation' THEN (SELECT jsonb_build_object('id', i.id, 'email', i.email,
          'role', i.role) FROM person_invitations i WHERE i.id::text = r.subject_id
          AND i.used_at IS NULL AND i.withdrawn_at IS NULL AND i.expires_at > clock_timestamp())
        WHEN 'policy' THEN (SELECT jsonb_build_object('id', o.id)
          FROM policy_proposals o WHERE o.id::text = r.subject_id)
        WHEN 'deputy' THEN (SELECT jsonb_build_object('id', d.id, 'personId', d.person_id,
          'deputyId', d.deputy_id, 'firstDay', d.first_day, 'lastDay', d.last_day,
          'of', p.name, 'name', q.name) FROM deputyships d JOIN people p ON p.id = d.person_id
          JOIN people q ON q.id = d.deputy_id WHERE d.id::text = r.subject_id
          AND d.ended_at IS NULL AND d.ends_at > clock_timestamp())
        WHEN 'api_key' THEN (SELECT jsonb_build_object('id', k.id, 'name', k.name,
          'rights', k.rights::text, 'wallet', k.wallet) FROM api_keys k
          WHERE k.id::text = r.subject_id AND k.confirmed_at IS NULL AND k.revoked_at IS NULL)
      END AS subject
    FROM second_person_requests r WHERE r.closed_at IS NULL
      AND EXISTS (SELECT FROM second_person_words w WHERE w.request_id = r.id
        AND w.at > clock_timestamp() - make_interval(secs => ${WORD_LIFE_MS / 1_000}))
    ORDER BY r.opened_at LIMIT ${AT_ONCE}`);
}

async function itemOf(
  tx: Tx,
  actor: Person,
  found: Found,
  { people, now }: { people: readonly Colleague[]; now: number },
): Promise<WaitingItem | null> {
  const { subject_kind: kind, subject, needs, maker_id: makerId } = found;
  if (subject === null || !may(actor.role, READS[kind])) return null;
  const { question, href } = await presentOf(tx, kind, subject);
  if (question !== null && question.boundTo !== found.bound_to) return null;
  const speakers = people.filter(({ role }) => speakersOf(kind).includes(role));
  const words = (found.words ?? []).flatMap((word) => wordOf(word, speakers));
  const standing = standingOf(words, { now, makerId, needs });
  if (standing.kind === 'nobody' || standing.kind === 'agreed') return null;
  const counting = latestWords(words, now).filter(
    ({ claim, personId }) => claim !== null && personId !== makerId,
  );
  const first = counting.toSorted((a, b) => a.at - b.at)[0]!;
  const { missing, who } = missingFrom(standing, { counting, speakers, makerId, needs });
  const said = counting.some(({ personId }) => personId === actor.personId);
  const mayConfirm = who.some(({ id }) => id === actor.personId);
  return {
    id: found.id,
    kind,
    facts: subject,
    claim: standing.kind === 'waiting' ? standing.claim : null,
    by: counting.map(({ name }) => name),
    reason: first.reason,
    at: new Date(first.at).toISOString(),
    until: new Date(first.at + WORD_LIFE_MS).toISOString(),
    missing,
    who: who.map(({ name }) => name),
    viewer: said ? 'said' : mayConfirm ? 'may_confirm' : 'reads',
    href,
  };
}

function wordOf(word: StoredWord, speakers: readonly Colleague[]): Word[] {
  const person = speakers.find(({ id }) => id === word.personId);
  return person === undefined
    ? []
    : [
        {
          personId: person.id,
          name: person.name,
          role: person.role,
          claim: word.claim,
          reason: word.reason,
          reference: null,
          at: Date.parse(word.at),
        },
      ];
}

/**
 * The question as it would be asked now, and the page of the thing. A null question: its content
 * never changes.
 */
async function presentOf(
  tx: Tx,
  kind: Subject['kind'],
  facts: Record<string, string | null>,
): Promise<Present> {
  const text = (name: string): string => facts[name] ?? '';
  switch (kind) {
    case 'movement':
      return {
        question: closeQuestion({
          id: text('id'),
          contentHash: text('contentHash'),
          state: text('state') as MovementRow['state'],
          sends: Number(text('sends')),
          makerId: text('makerId'),
        }),
        href: movementAddress({
          kind: text('kind'),
          id: text('id'),
          cardPaymentId: facts['cardPaymentId'] ?? null,
        }),
      };
    case 'plan_charge':
      return {
        question: chargeQuestion({
          id: text('id'),
          state: text('state') as ChargeState,
          personId: text('personId'),
        }),
        href: `/cards/recurring/${text('planId')}`,
      };
    case 'send_switch':
      return {
        question: resumeQuestion({
          kind: text('kind') as StoppableKind,
          cause: text('cause') as Cause,
          since: new Date(text('since')),
        }),
        href: '/settings',
      };
    case 'person':
      return presentOfPerson(tx, facts);
    case 'invitation':
      return {
        question: invitationQuestion({
          id: text('id'),
          email: text('email'),
          role: text('role') as Role,
        }),
        href: '/people',
      };
    case 'deputy':
      return {
        question: deputyQuestion({
          id: text('id'),
          person_id: text('personId'),
          deputy_id: text('deputyId'),
          first_day: text('firstDay'),
          last_day: text('lastDay'),
        }),
        href: '/people',
      };
    case 'api_key':
      return { question: null, href: '/developers' };
    case 'policy':
      return { question: null, href: '/policy' };
  }
}
