-- Revoking a key pauses the batches that were begun with it and are not over; a person lets them go on.
ALTER TABLE "batch_runs" DROP CONSTRAINT "batch_runs_hold";
ALTER TABLE "batch_runs" ADD CONSTRAINT "batch_runs_hold"
  CHECK (hold IN ('person', 'balance_short', 'fail_alike', 'maker_gone', 'restored', 'key_revoked') AND (hold IS NULL) = (held_at IS NULL));

-- A program's batch that is submitted while its key is being revoked begins paused: the key's row is locked, so that either the
-- revocation sees the run, or the run sees the revocation.
CREATE FUNCTION batch_runs_by_keys() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  its_key api_keys;
BEGIN
  SELECT k.* INTO its_key FROM api_intents i JOIN api_keys k ON k.id = i.api_key_id WHERE i.subject_id = NEW.batch_id FOR SHARE OF k;
  IF its_key.revoked_at IS NOT NULL THEN
    UPDATE batch_runs SET hold = 'key_revoked', hold_detail = jsonb_build_object('key', its_key.name), held_at = clock_timestamp(),
      held_by = its_key.revoked_by WHERE batch_id = NEW.batch_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER batch_runs_by_keys AFTER INSERT ON "batch_runs" FOR EACH ROW EXECUTE FUNCTION batch_runs_by_keys();
