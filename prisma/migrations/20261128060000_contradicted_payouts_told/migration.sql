-- As it was ("program_webhooks"), and also when a record contradicts that a payout was not paid, or came back: a program that
-- has read so must not pay it again.
CREATE OR REPLACE FUNCTION movements_told() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  contradicted BOOLEAN := NEW.alert IS NOT DISTINCT FROM 'contradiction'
    AND (NEW.state IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED') OR NEW.returned = 'CONFIRMED');
BEGIN
  IF NEW.state = 'DRAFT' OR (TG_OP = 'UPDATE' AND NEW.state = OLD.state AND NEW.returned = OLD.returned
       AND NOT (contradicted AND NEW.alert IS DISTINCT FROM OLD.alert))
     -- The step between preparing and being ready, where nobody has to approve.
     OR (TG_OP = 'UPDATE' AND OLD.state = 'DRAFT' AND NEW.approvals_needed = 0)
     OR NOT EXISTS (SELECT FROM api_endpoints e WHERE e.merchant_id = NEW.merchant_id) THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM api_intents i WHERE i.subject_id = NEW.id)
     OR (NEW.state IN ('UNKNOWN', 'COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED')
       AND EXISTS (SELECT FROM batch_rows w JOIN api_intents i ON i.subject_id = w.batch_id WHERE w.movement_id = NEW.id)) THEN
    INSERT INTO api_deliveries (merchant_id, type, subject_id, facts, at, next_at)
    VALUES (NEW.merchant_id, 'payout.updated', NEW.id, jsonb_build_object('state', NEW.state, 'returned', NEW.returned, 'contradicted', contradicted,
      'amountMinor', NEW.amount_minor::text, 'currency', NEW.currency, 'wallet', NEW.wallet, 'extId', NEW.ext_id), clock_timestamp(), clock_timestamp());
  END IF;
  RETURN NULL;
END $$;
-- A change of the state or of the return has a trigger already ("movements_told").
CREATE TRIGGER movements_contradicted_told AFTER UPDATE OF alert ON "movements" FOR EACH ROW
  WHEN (NEW.alert IS DISTINCT FROM OLD.alert AND NEW.state = OLD.state AND NEW.returned = OLD.returned) EXECUTE FUNCTION movements_told();
