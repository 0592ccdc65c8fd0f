-- What this database knows of itself: since when workers keep marks of it beside it.
CREATE TABLE "installations" (
    "merchant_id" UUID NOT NULL,
    "marked_at" TIMESTAMPTZ(6),
    "environment" TEXT,
    "sender" TEXT,

    CONSTRAINT "installations_pkey" PRIMARY KEY ("merchant_id")
);

-- One time that this database was found to be older than what was done with it.
CREATE TABLE "recoveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "why" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "scan_from" TIMESTAMPTZ(6) NOT NULL,
    "listed_by" TIMESTAMPTZ(6) NOT NULL,
    "scan_until" TIMESTAMPTZ(6),
    "scanned_at" TIMESTAMPTZ(6),
    "problem" TEXT,
    "records" INTEGER NOT NULL DEFAULT 0,
    "matched" INTEGER NOT NULL DEFAULT 0,
    "ended_at" TIMESTAMPTZ(6),

    CONSTRAINT "recoveries_pkey" PRIMARY KEY ("id")
);

-- What the provider's records say and this database did not.
CREATE TABLE "recovered_records" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "recovery_id" UUID NOT NULL,
    "finding" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "movement_id" UUID,
    "ext_id" TEXT,
    "level" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "wallet" TEXT,
    "iban" TEXT,
    "name" TEXT,
    "made_at" TIMESTAMPTZ(6),
    "seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "acknowledged_by" UUID,
    "acknowledged_at" TIMESTAMPTZ(6),
    "acknowledged_reason" TEXT,

    CONSTRAINT "recovered_records_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "recovered_records_merchant_id_source_reference_key" ON "recovered_records"("merchant_id", "source", "reference");

-- CreateIndex
CREATE INDEX "recovered_records_merchant_id_iban_idx" ON "recovered_records"("merchant_id", "iban");

-- AddForeignKey
ALTER TABLE "recovered_records" ADD CONSTRAINT "recovered_records_recovery_id_fkey" FOREIGN KEY ("recovery_id") REFERENCES "recoveries"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovered_records" ADD CONSTRAINT "recovered_records_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovered_records" ADD CONSTRAINT "recovered_records_acknowledged_by_fkey" FOREIGN KEY ("acknowledged_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "recoveries" ADD CONSTRAINT "recoveries_why" CHECK (why IN ('behind', 'other_database', 'no_mark', 'asked'));
ALTER TABLE "recovered_records"
  ADD CONSTRAINT "recovered_records_finding" CHECK (finding IN ('foreign', 'brought_forward', 'contradiction')),
  ADD CONSTRAINT "recovered_records_source" CHECK (source IN ('withdrawal', 'ledger'));
CREATE UNIQUE INDEX "recoveries_one_open" ON "recoveries" ("merchant_id") WHERE ended_at IS NULL;

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['installations', 'recoveries', 'recovered_records'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE ON "installations" TO dashboard_worker;
GRANT UPDATE ON "installations" TO dashboard_web;
GRANT INSERT, UPDATE ON "recoveries" TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE ON "recovered_records" TO dashboard_worker;
GRANT UPDATE ON "recovered_records" TO dashboard_web;

-- Recovery ends with its release by people, and not while anything that the provider shows is unseen by a person.
CREATE FUNCTION recoveries_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.ended_at IS NOT NULL THEN RAISE EXCEPTION 'a recovery that is over stays over' USING ERRCODE = 'MV022'; END IF;
  IF NEW.ended_at IS NOT NULL AND (NEW.scanned_at IS NULL OR NEW.problem IS NOT NULL OR EXISTS (
      SELECT FROM recovered_records r WHERE r.merchant_id = NEW.merchant_id AND r.finding <> 'brought_forward' AND r.acknowledged_at IS NULL)
    OR EXISTS (SELECT FROM send_switches s WHERE s.merchant_id = NEW.merchant_id AND s.cause = 'recovery' AND s.off)) THEN
    RAISE EXCEPTION 'recovery ends when all is matched and two people said so' USING ERRCODE = 'MV022';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER recoveries_guard BEFORE UPDATE ON "recoveries" FOR EACH ROW EXECUTE FUNCTION recoveries_guard();
