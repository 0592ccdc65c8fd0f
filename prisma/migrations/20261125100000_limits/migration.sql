-- How much may leave on one person's word alone, in one payment and in a day, for each currency. The latest row of a person and
-- currency is in force; a row without amounts takes the limit away. Without a row there is no limit.
CREATE TABLE "person_limits" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "single_minor" BIGINT,
    "day_minor" BIGINT,
    "set_by" UUID NOT NULL,
    "asked_by" UUID,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "person_limits_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "person_limits_person_id_currency_id_idx" ON "person_limits"("person_id", "currency", "id" DESC);

-- AddForeignKey
ALTER TABLE "person_limits" ADD CONSTRAINT "person_limits_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "person_limits" ADD CONSTRAINT "person_limits_set_by_fkey" FOREIGN KEY ("set_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "person_limits" ADD CONSTRAINT "person_limits_asked_by_fkey" FOREIGN KEY ("asked_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "person_limits"
  ADD CONSTRAINT "person_limits_currency" CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT "person_limits_amounts" CHECK (single_minor > 0 AND day_minor > 0),
  ADD CONSTRAINT "person_limits_others" CHECK (set_by <> person_id AND asked_by IS DISTINCT FROM person_id);

CREATE TRIGGER person_limits_append_only BEFORE UPDATE OR DELETE ON "person_limits" FOR EACH ROW EXECUTE FUNCTION append_only();

-- An owner narrows alone. A row that lets more leave alone needs two people who agreed on exactly it in this transaction;
-- the question is about the person's limits, so the person's own statement never counts.
CREATE FUNCTION person_limits_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  present "person_limits"%ROWTYPE;
BEGIN
  NEW.at := clock_timestamp();
  PERFORM FROM merchants WHERE id = NEW.merchant_id FOR NO KEY UPDATE;
  IF NOT EXISTS (SELECT FROM people p WHERE p.id = NEW.person_id AND p.merchant_id = NEW.merchant_id)
     OR NOT EXISTS (SELECT FROM people p WHERE p.id = NEW.set_by AND p.merchant_id = NEW.merchant_id AND p.role IN ('approver', 'owner') AND p.disabled_at IS NULL) THEN
    RAISE EXCEPTION 'a person of this merchant limits another' USING ERRCODE = 'MV060';
  END IF;
  SELECT * INTO present FROM person_limits l WHERE l.person_id = NEW.person_id AND l.currency = NEW.currency ORDER BY l.id DESC LIMIT 1;
  IF second_person_agreed(NEW.merchant_id, 'person', NEW.person_id::text || ' limits', NEW.person_id,
       ARRAY['limit:' || NEW.currency || ':' || coalesce(NEW.single_minor::text, 'none') || ':' || coalesce(NEW.day_minor::text, 'none')])
     OR people_alone(NEW.merchant_id) THEN
    RETURN NEW;
  END IF;
  IF NOT EXISTS (SELECT FROM people p WHERE p.id = NEW.set_by AND p.role = 'owner') THEN
    RAISE EXCEPTION 'an owner narrows a limit' USING ERRCODE = 'MV060';
  END IF;
  IF (present.single_minor IS NOT NULL AND (NEW.single_minor IS NULL OR NEW.single_minor > present.single_minor))
     OR (present.day_minor IS NOT NULL AND (NEW.day_minor IS NULL OR NEW.day_minor > present.day_minor)) THEN
    RAISE EXCEPTION 'a limit is widened by two people' USING ERRCODE = 'MV061';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER person_limits_guard BEFORE INSERT ON "person_limits" FOR EACH ROW EXECUTE FUNCTION person_limits_guard();

ALTER TABLE "person_limits" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "person_limits" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "person_limits" TO dashboard_web, dashboard_worker;
GRANT INSERT ON "person_limits" TO dashboard_web;
GRANT USAGE ON SEQUENCE "person_limits_id_seq" TO dashboard_web;

-- The day's sum of one person.
CREATE INDEX "movements_maker_id_currency_created_at_idx" ON "movements"("maker_id", "currency", "created_at");
