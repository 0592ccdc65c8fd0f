import * as z from 'zod';
import { readPlace } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import { readDay } from '#lib/values/typed-day.ts';

/** The audit log's filter, read from the query string. Invalid values are ignored. Pure. */

/** All audited actions, by topic: `movement.approved`, `session.opened`, … */
export const AUDIT_ACTIONS = [
  'movement.drafted',
  'movement.submitted',
  'movement.approved',
  'movement.edited',
  'movement.cancelled',
  'movement.resolved_not_sent',
  'movement.resolved_accepted',
  'movement.resolved_done',
  'movement.word_given',
  'movement.word_taken_back',
  'movement.claimed',
  'movement.answer',
  'movement.read',
  'movement.ledger',
  'movement.notice',
  'movement.lease_expired',
  'movement.pending_too_long',
  'movement.approval_given',
  'movement.approved_in_batch',
  'movement.overridden',
  'movement.sent_back',
  'movement.approvals_missing',
  'movement.approvals_lapsed',
  'movement.earlier_may_be_paid',
  'movement.approval_expired',
  'movement.return_unconfirmed',
  'movement.attention_seen',
  'movement.outcome_seen',
  'movement.claim_failing',
  'movement.claim_working',
  'receipt.asked',
  'receipt.downloaded',
  'receipt.archive_asked',
  'receipt.archive_downloaded',
  'export.asked',
  'export.downloaded',
  'export.deleted',
  'notice.replayed',
  'session.opened',
  'session.ended',
  'session.refused',
  'session.not_allowed',
  'sending.stopped',
  'sending.release_asked',
  'sending.release_taken_back',
  'sending.released',
  'sending.recovery_began',
  'sending.record_found',
  'sending.record_seen',
  'sending.send_confirmed',
  'wallet.asked',
  'wallet.created',
  'wallet.refused',
  'wallet.not_sent',
  'wallet.unclear',
  'wallet.found',
  'wallet.given_up',
  'top_up.handled',
  'top_up.reopened',
  'top_up.arrived',
  'day.closed',
  'recipient.edited',
  'recipient.account_added',
  'recipient.account_changed',
  'recipient.account_archived',
  'recipient.account_restored',
  'recipient.archived',
  'recipient.restored',
  'recipient.brought',
  'batch.drafted',
  'batch.split',
  'batch.discarded',
  'batch.submitted',
  'batch.held',
  'batch.paused',
  'batch.resumed',
  'batch.stopped',
  'batch.approval_given',
  'batch.overridden',
  'batch.approved',
  'batch.sent_back',
  'batch.retried',
  'batch.repeated',
  'batch.template_saved',
  'batch.template_renamed',
  'batch.template_deleted',
  'batch.downloaded',
  'person.joined',
  'person.invited',
  'person.invitation_confirmed',
  'person.invitation_withdrawn',
  'person.change_asked',
  'person.change_withdrawn',
  'person.change_declined',
  'person.role_changed',
  'person.limit_asked',
  'person.limit_set',
  'person.deputy_named',
  'person.deputy_confirmed',
  'person.deputy_ended',
  'person.disabled',
  'person.enabled',
  'person.sessions_ended',
  'person.push_added',
  'person.push_removed',
  'person.passkey_added',
  'person.passkey_removed',
  'person.passkeys_lost_reported',
  'person.passkeys_lost',
  'person.step_up_refused',
  'api.key_made',
  'api.key_confirmed',
  'api.key_revoked',
  'api.endpoint_set',
  'api.endpoint_removed',
  'api.secret_changed',
  'api.delivery_again',
  'api.ping_sent',
  'policy.proposed',
  'policy.withdrawn',
  'policy.confirmed',
  'onboarding.dismissed',
  'onboarding.restored',
  'reconciliation.clean',
  'reconciliation.acknowledged',
  'cashout.taken_said',
  'cashout.not_taken_said',
  'cashout.closed',
  'card.added',
  'card.asked',
  'card.read',
  'card.close_asked',
  'card.closed',
  'card.plan_added',
  'card.plan_asked',
  'card.plan_read',
  'card.plan_change_asked',
  'card.plan_changed',
  'card.plan_charge_asked',
  'card.plan_charge_sent',
  'card.plan_charge_answered',
  'card.plan_charge_ended',
  'card.plan_charge_contradicted',
  'card.plan_contradiction_seen',
  'card.plan_problem_seen',
  'card.plan_charge_word_given',
  'card.plan_charge_word_taken_back',
  'card.saved_asked',
  'card.saved_answered',
  'card.day_named',
  'card.problem_seen',
  'card.reminder_seen',
  'card.hash_made',
  'card.hash_checked',
  'card.panel_link_asked',
  'card.panel_link_sent',
  'card.charge_made',
  'card.charge_sent',
  'card.charge_answered',
  'card.link_made',
  'audit.exported',
  'audit.erased',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Actions whose older entries have another name: the chain is append-only. */
export const EARLIER_NAMES: ReadonlyMap<string, string> = new Map([
  ['movement.return_unconfirmed', 'movement.refund_unconfirmed'],
]);

type TopicOf<Action extends string> = Action extends `${infer Topic}.${string}` ? Topic : never;
export type AuditTopic = TopicOf<AuditAction>;

/** The topics of the actions, each once, in the order of the actions. */
export const AUDIT_TOPICS: readonly AuditTopic[] = [
  ...new Set(AUDIT_ACTIONS.map((action) => action.slice(0, action.indexOf('.')) as AuditTopic)),
];

export type AuditFilter = {
  /** 'person:<id>', 'worker' or 'provider'. */
  who: string | null;
  /** One action, or a topic: 'session' stands for all its actions. */
  action: string | null;
  /** 'movement:<id>', 'session:<id>', … as in the entries. */
  subject: string | null;
  from: string | null;
  to: string | null;
};
export type AuditQuery = { filter: AuditFilter; place: Place | null };

const SEQ = /^[1-9]\d{0,17}$/;
const SUBJECT = /^[a-z_]{3,20}:[0-9A-Za-z_-]{1,64}$/;
const WHO = /^(?:worker|provider|person:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const one = z.string().trim().catch('');
const matching = (pattern: RegExp) => one.transform((text) => (pattern.test(text) ? text : null));
const day = one.transform(readDay);
const address = z.object({
  who: matching(WHO),
  action: one.transform(
    (text) => [...AUDIT_ACTIONS, ...AUDIT_TOPICS].find((known) => known === text) ?? null,
  ),
  subject: matching(SUBJECT),
  from: day,
  to: day,
});

export function readAuditQuery(params: Record<string, string | string[] | undefined>): AuditQuery {
  const { from, to, ...rest } = address.parse(params);
  const days = from !== null && to !== null && from > to ? { from: to, to: from } : { from, to };
  return { filter: { ...rest, ...days }, place: readPlace(params, SEQ) };
}

export function auditParams({
  who,
  action,
  subject,
  from,
  to,
}: AuditFilter): Record<string, string | null> {
  return { who, action, subject, from, to };
}
