import type { Permission } from './actor.ts';

/**
 * An expected refusal by a rule. Thrown inside a transaction it rolls back. Each kind of entry
 * point catches it in one place, where the code becomes a sentence in the person's language
 * (messages, namespace "refusals").
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly params: Record<string, string | number>;

  constructor(code: RefusalCode, params: Record<string, string | number> = {}) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.params = params;
  }
}

/** The role lacks a permission. The entry points write it into the audit log. */
export class NotAllowed extends Refusal {
  readonly permission: Permission;

  constructor(permission: Permission) {
    super('not_allowed');
    this.permission = permission;
  }
}

export type RefusalCode =
  | 'not_allowed'
  | 'not_found'
  | 'same_id_other_content'
  | 'payout_blocked'
  | 'reason_needed'
  | 'wallet_unverified'
  | 'wallet_list_unread'
  | 'wallet_request_open'
  | 'wallet_request_young'
  | 'wallet_request_over'
  | 'payment_type_unknown'
  | 'parent_alive'
  | 'parent_not_fresh'
  | 'parent_not_listed'
  | 'already_paid_again'
  | 'too_late_to_cancel'
  | 'cancel_not_compared'
  | 'asked_too_often'
  | 'too_many'
  | 'stop_reason_needed'
  | 'already_stopped'
  | 'send_not_held'
  | 'not_stopped'
  | 'release_not_asked'
  | 'second_person_needed'
  | 'owner_needed'
  | 'maker_has_no_word'
  | 'close_record_says'
  | 'close_not_a_day'
  | 'close_reference_needed'
  | 'reason_too_short'
  | 'own_traces'
  | 'nothing_to_erase'
  | 'export_too_long'
  | 'receipt_by_itself'
  | 'nothing_chosen'
  | 'too_many_rows'
  | 'view_name'
  | 'views_full'
  | 'workers_disagree'
  | 'alert_changed'
  | 'case_changed'
  | 'day_not_closable'
  | 'recovery_not_read'
  | 'recovery_unseen'
  | 'invoice_ids_empty'
  | 'invoice_ids_many'
  | 'invoice_ids_unreadable'
  | 'held_on_unreadable'
  | 'hold_age_known'
  | 'card_number_typed'
  | 'cashout_not_configured'
  | 'close_not_unknown'
  | 'close_too_early'
  | 'cashout_too_early'
  | 'close_unverified'
  | 'hash_part'
  | 'plan_codes_empty'
  | 'plan_codes_many'
  | 'plan_codes_unreadable'
  | 'plan_charge_open'
  | 'plan_charge_awaited'
  | 'plan_change_open'
  | 'plan_changed'
  | 'plan_not_active'
  | 'plan_charge_stopped'
  | 'card_charge_stopped'
  | 'card_charge_unconfirmed'
  | 'plan_charge_repeated'
  | 'card_entry_off'
  | 'saved_cards_unread'
  | 'saved_card_gone'
  | 'way_closed'
  | 'saved_card_gone'
  | 'link_closed'
  | 'recipient_exists'
  | 'payee_of_other'
  | 'payee_changed';
