-- A charge that was called "not taken", and a later record of its plan that lists one which nothing explains. The row keeps its end; the
-- plan is locked until a person has seen it.
ALTER TABLE "plan_charges"
  ADD COLUMN "contradicted_at" TIMESTAMPTZ(6),
  ADD COLUMN "seen_by" UUID,
  ADD COLUMN "seen_at" TIMESTAMPTZ(6),
  ADD COLUMN "seen_reason" TEXT,
  ADD CONSTRAINT "plan_charges_contradicted" CHECK (contradicted_at IS NULL OR (state = 'NOT_CHARGED' AND sent_at IS NOT NULL)),
  ADD CONSTRAINT "plan_charges_seen" CHECK (num_nulls(seen_by, seen_at, seen_reason) = 3 OR (num_nulls(seen_by, seen_at, seen_reason) = 0 AND contradicted_at IS NOT NULL)),
  ADD CONSTRAINT "plan_charges_seen_by_fkey" FOREIGN KEY ("seen_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What was found, and who has seen it, stays.
CREATE FUNCTION plan_charges_contradiction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.contradicted_at IS NOT NULL AND NEW.contradicted_at IS DISTINCT FROM OLD.contradicted_at
     OR OLD.seen_at IS NOT NULL AND (NEW.seen_by, NEW.seen_at, NEW.seen_reason) IS DISTINCT FROM (OLD.seen_by, OLD.seen_at, OLD.seen_reason) THEN
    RAISE EXCEPTION 'a contradiction that was found or seen stays so' USING ERRCODE = 'MV026';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER plan_charges_contradiction BEFORE UPDATE ON "plan_charges" FOR EACH ROW EXECUTE FUNCTION plan_charges_contradiction();
GRANT UPDATE ("seen_by", "seen_at", "seen_reason") ON "plan_charges" TO dashboard_web;
