-- As it was ("contradicted_payouts_told"), and also where a payout has not left as far as this database knows: a record
-- contradicts that, or a restore may have lost a send of it, as `mayBeLost` (lib/send-control/recovery) says.
CREATE OR REPLACE FUNCTION movements_told() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  contradicted BOOLEAN := NEW.alert IS NOT DISTINCT FROM 'contradiction'
    AND (NEW.state IN ('AWAITING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED') OR NEW.returned = 'CONFIRMED');
BEGIN
  IF NEW.state = 'DRAFT' OR (TG_OP = 'UPDATE' AND NEW.state = OLD.state AND NEW.returned = OLD.returned
       AND NOT (contradicted AND NEW.alert IS DISTINCT FROM OLD.alert))
     -- The step between preparing and being ready, where nobody has to approve.
     OR (TG_OP = 'UPDATE' AND OLD.state = 'DRAFT' AND NEW.approvals_needed = 0)
     OR NOT EXISTS (SELECT FROM api_endpoints e WHERE e.merchant_id = NEW.merchant_id) THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM api_intents i WHERE i.subject_id = NEW.id)
     OR (NEW.state IN ('UNKNOWN', 'COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED')
       AND EXISTS (SELECT FROM batch_rows w JOIN api_intents i ON i.subject_id = w.batch_id WHERE w.movement_id = NEW.id)) THEN
    -- What was refused before a recovery had ended by then. Only a journal that was compared and is complete rules a send out.
    contradicted := contradicted OR (NEW.state IN ('AWAITING_APPROVAL', 'APPROVED', 'REJECTED', 'CANCELLED', 'EXPIRED')
      AND EXISTS (SELECT FROM recoveries r WHERE r.merchant_id = NEW.merchant_id AND r.began_at > NEW.created_at
        AND (NEW.state <> 'REJECTED' OR r.began_at < NEW.last_send_at)
        AND (NOT coalesce((r.journal ->> 'files')::int > 0 AND (r.journal ->> 'missing')::int = 0
            AND (r.journal ->> 'unreadable')::int = 0, false)
          OR EXISTS (SELECT FROM recovered_records f WHERE f.merchant_id = NEW.merchant_id AND f.ext_id = NEW.ext_id))));
    INSERT INTO api_deliveries (merchant_id, type, subject_id, facts, at, next_at)
    VALUES (NEW.merchant_id, 'payout.updated', NEW.id, jsonb_build_object('state', NEW.state, 'returned', NEW.returned, 'contradicted', contradicted,
      'amountMinor', NEW.amount_minor::text, 'currency', NEW.currency, 'wallet', NEW.wallet, 'extId', NEW.ext_id), clock_timestamp(), clock_timestamp());
  END IF;
  RETURN NULL;
END $$;
