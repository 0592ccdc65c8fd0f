-- What the worker may forget, and no sooner than this: sessions and sign-ins that are over, and notices that named no payout of
-- ours. Whatever code asks for, the books (movements, attempts, evidence, approvals, receipts, the audit trail, notices that
-- named a payout or another business) have no DELETE at all.
GRANT DELETE ON "sessions", "login_challenges", "notices" TO dashboard_worker;
CREATE POLICY kept_30_days ON "sessions" AS RESTRICTIVE FOR DELETE TO dashboard_worker
  USING (expires_at < clock_timestamp() - interval '30 days');
CREATE POLICY kept_a_day ON "login_challenges" AS RESTRICTIVE FOR DELETE TO dashboard_worker
  USING (expires_at < clock_timestamp() - interval '1 day');
CREATE POLICY kept_30_days ON "notices" AS RESTRICTIVE FOR DELETE TO dashboard_worker
  USING (movement_id IS NULL AND effect IN ('no_such_payout', 'not_understood') AND last_at < clock_timestamp() - interval '30 days');

-- And what it seals anew when a key is replaced; nothing else of a session is its business.
GRANT UPDATE ("provider_sealed") ON "sessions" TO dashboard_worker;
