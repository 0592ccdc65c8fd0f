/**
 * What the web and the worker may do to each table: S(elect), I(nsert), U(pdate), D(elete); columns behind a U mean those alone.
 * Nothing else is granted. A table without a line here fails the tests of the roles and of the wall.
 */
export const RIGHTS: Record<string, { web: string; worker: string }> = {
  merchants: { web: 'SIU', worker: 'S' },
  people: { web: 'SIU', worker: 'S' },
  sessions: { web: 'SIU', worker: 'SU(provider_sealed)D' },
  login_challenges: { web: 'SIU', worker: 'SD' },
  movements: { web: 'SIU', worker: 'SU' },
  movement_steps: { web: 'S', worker: 'S' },
  approvals: { web: 'SID', worker: 'S' },
  attempts: { web: 'S', worker: 'SI' },
  evidence: { web: 'SI', worker: 'SI' },
  notices: { web: 'SIU', worker: 'SD' },
  iban_gates: { web: 'S', worker: 'SIU' },
  send_switches: { web: 'SIU', worker: 'SIU' },
  installations: { web: 'SU', worker: 'SIU' },
  recoveries: { web: 'SIU', worker: 'SIU' },
  recovered_records: { web: 'SU', worker: 'SIU' },
  receipts: { web: 'SIU', worker: 'SIU' },
  receipt_archives: { web: 'SI', worker: 'SD' },
  receipt_archive_items: { web: 'SI', worker: 'S' },
  exports: { web: 'SIU(state)', worker: 'SUD' },
  export_pieces: { web: 'SD', worker: 'SID' },
  ledger_records: { web: 'S', worker: 'SIU' },
  withdraw_records: { web: 'S', worker: 'SIU' },
  record_days: { web: 'SIU(next_at)', worker: 'SIU' },
  recipients: { web: 'SIU(name,tax_number,used_at,archived_at,archived_by)', worker: 'S' },
  recipient_payees: { web: 'SIU(changed_at,changed_by,replaces,archived_at,archived_by)', worker: 'S' },
  announced_top_ups: { web: 'SI', worker: 'S' },
  failed_top_ups: { web: 'SIU', worker: 'SU(closed_at,record_id,state)' },
  reconciliations: { web: 'S', worker: 'SIU' },
  differences: { web: 'SU(state,acknowledged_by,acknowledged_at,acknowledged_reason)', worker: 'SIU' },
  rate_limits: { web: 'SIUD', worker: 'SIUD' },
  wallet_snapshots: { web: 'SIUD', worker: 'SIUD' },
  wallet_requests: { web: 'SIU(answered_at,code,message,number,reason,state)', worker: 'S' },
  worker_heartbeats: { web: 'S', worker: 'SIUD' },
  audit_entries: { web: 'S', worker: 'S' },
  audit_heads: { web: 'S', worker: 'S' },
  audit_personal: { web: 'S', worker: 'S' },
  audit_checkpoints: { web: 'S', worker: 'SI' },
  audit_checks: { web: 'S', worker: 'SIU' },
  _prisma_migrations: { web: '', worker: '' },
};

/** Tables in which no merchant has rows: they need no wall. */
export const OPEN_TABLES = ['_prisma_migrations', 'movement_steps'];
