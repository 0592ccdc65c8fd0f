-- A row of a batch pays an account of a bank, or the wallet of a person that the provider found by a phone or account number.
ALTER TABLE "batch_rows"
  ADD COLUMN "kind" TEXT NOT NULL DEFAULT 'payout',
  ADD COLUMN "to_wallet" TEXT,
  ADD COLUMN "found_by" TEXT,
  ADD COLUMN "found_name" TEXT;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_payee" CHECK (CASE kind
  WHEN 'payout' THEN iban <> '' AND num_nonnulls(to_wallet, found_by, found_name) = 0
  WHEN 'transfer_person' THEN iban = '' AND tax_number = '' AND num_nonnulls(to_wallet, found_by) = 2
  ELSE false END);

-- As it was ("batch_approvals"): kind and wallet of a row never change either, and its movement has the same.
CREATE OR REPLACE FUNCTION batch_rows_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a row of a batch is never deleted' USING ERRCODE = 'MV073'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.made_at IS NOT NULL OR NEW.refused_at IS NOT NULL
       OR NOT EXISTS (SELECT FROM batches b WHERE b.id = NEW.batch_id AND b.merchant_id = NEW.merchant_id AND b.state = 'DRAFT') THEN
      RAISE EXCEPTION 'the rows of a batch are written when it is submitted' USING ERRCODE = 'MV073';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.merchant_id, NEW.batch_id, NEW.n, NEW.original, NEW.iban, NEW.name, NEW.tax_number, NEW.amount_minor, NEW.currency, NEW.payment_type,
      NEW.description, NEW.overrides, NEW.override_reason, NEW.retry_of, NEW.movement_id, NEW.ext_id, NEW.tree,
      NEW.kind, NEW.to_wallet, NEW.found_by, NEW.found_name)
     IS DISTINCT FROM (OLD.merchant_id, OLD.batch_id, OLD.n, OLD.original, OLD.iban, OLD.name, OLD.tax_number, OLD.amount_minor, OLD.currency, OLD.payment_type,
      OLD.description, OLD.overrides, OLD.override_reason, OLD.retry_of, OLD.movement_id, OLD.ext_id, OLD.tree,
      OLD.kind, OLD.to_wallet, OLD.found_by, OLD.found_name)
     OR OLD.made_at IS NOT NULL OR OLD.refused_at IS NOT NULL THEN
    RAISE EXCEPTION 'a row of a batch never changes' USING ERRCODE = 'MV073';
  END IF;
  IF NEW.made_at IS NULL AND NEW.refused IS NULL THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM batch_runs b WHERE b.batch_id = NEW.batch_id AND b.hold IS NULL AND b.stopped_at IS NULL AND b.approved_at IS NOT NULL) THEN
    RAISE EXCEPTION 'a batch that is held or not approved makes no movements' USING ERRCODE = 'MV074';
  END IF;
  IF NEW.refused IS NOT NULL THEN NEW.refused_at := clock_timestamp(); RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM movements m JOIN batches b ON b.id = NEW.batch_id JOIN batch_runs r ON r.batch_id = b.id
      WHERE m.id = NEW.movement_id AND m.merchant_id = NEW.merchant_id AND m.approvals_needed >= r.approvals_needed
      AND m.kind = NEW.kind AND m.ext_id = NEW.ext_id AND m.wallet = b.wallet AND m.maker_id = b.maker_id AND m.retry_of IS NOT DISTINCT FROM NEW.retry_of
      AND (m.iban, m.name, m.tax_number, m.amount_minor, m.currency, m.payment_type, m.description)
        = (NEW.iban, NEW.name, NEW.tax_number, NEW.amount_minor, NEW.currency, NEW.payment_type, NEW.description)
      AND (m.to_wallet, m.found_by, m.found_name) IS NOT DISTINCT FROM (NEW.to_wallet, NEW.found_by, NEW.found_name)) THEN
    RAISE EXCEPTION 'a row becomes the movement that it names' USING ERRCODE = 'MV073';
  END IF;
  NEW.made_at := clock_timestamp();
  RETURN NEW;
END $$;
