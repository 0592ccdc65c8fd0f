-- A person's "send it" for a row that is older than a recovery: the books may have forgotten that it was sent, cancelled or ended.
CREATE TABLE "send_confirmations" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "movement_id" UUID,
    "plan_charge_id" UUID,
    "confirmed_by" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "send_confirmations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "send_confirmations_movement_id_idx" ON "send_confirmations"("movement_id");

-- CreateIndex
CREATE INDEX "send_confirmations_plan_charge_id_idx" ON "send_confirmations"("plan_charge_id");

-- AddForeignKey
ALTER TABLE "send_confirmations" ADD CONSTRAINT "send_confirmations_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "send_confirmations" ADD CONSTRAINT "send_confirmations_plan_charge_id_fkey" FOREIGN KEY ("plan_charge_id") REFERENCES "plan_charges"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "send_confirmations" ADD CONSTRAINT "send_confirmations_confirmed_by_fkey" FOREIGN KEY ("confirmed_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The send journal as a source of what the books have forgotten, and what it could be compared with.
ALTER TABLE "recovered_records" ADD COLUMN "kind" TEXT,
ADD COLUMN "about" TEXT,
ADD COLUMN "payee_hash" TEXT;
ALTER TABLE "recoveries" ADD COLUMN "journal" JSONB;

-- CreateIndex
CREATE INDEX "recovered_records_merchant_id_payee_hash_idx" ON "recovered_records"("merchant_id", "payee_hash");

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "recovered_records" DROP CONSTRAINT "recovered_records_source",
  ADD CONSTRAINT "recovered_records_source" CHECK (source IN ('withdrawal', 'ledger', 'journal')),
  ADD CONSTRAINT "recovered_records_kind" CHECK (source <> 'journal' OR kind IS NOT NULL);
ALTER TABLE "send_confirmations" ADD CONSTRAINT "send_confirmations_subject" CHECK ((movement_id IS NULL) <> (plan_charge_id IS NULL));

ALTER TABLE "send_confirmations" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "send_confirmations" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "send_confirmations" TO dashboard_web, dashboard_worker;
GRANT INSERT ON "send_confirmations" TO dashboard_web;
GRANT USAGE ON SEQUENCE "send_confirmations_id_seq" TO dashboard_web;
-- A charge of a plan that never left may be called off by a person.
GRANT UPDATE ("state", "reason", "ended_at") ON "plan_charges" TO dashboard_web;

-- It is said of what still waits, and of money of the card balance not by who prepared it: nobody could be asked whether it had left.
CREATE FUNCTION send_confirmations_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.at := clock_timestamp();
  IF NEW.movement_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM movements m WHERE m.id = NEW.movement_id AND m.merchant_id = NEW.merchant_id AND m.state = 'APPROVED' AND (m.rail <> 'cashout' OR m.maker_id <> NEW.confirmed_by)) THEN
    RAISE EXCEPTION 'only what still waits is confirmed, a payout of the card balance by another person than its maker' USING ERRCODE = 'MV031';
  END IF;
  IF NEW.plan_charge_id IS NOT NULL AND NOT EXISTS (SELECT FROM plan_charges c WHERE c.id = NEW.plan_charge_id AND c.merchant_id = NEW.merchant_id AND c.state = 'QUEUED') THEN
    RAISE EXCEPTION 'only what still waits is confirmed' USING ERRCODE = 'MV031';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER send_confirmations_guard BEFORE INSERT ON "send_confirmations" FOR EACH ROW EXECUTE FUNCTION send_confirmations_guard();

-- Nothing that is older than a recovery leaves before a person has confirmed it, whatever the program thinks. While the recovery
-- is open, a send that the books have forgotten is written down by the same step; then the switch keeps everything from leaving.
CREATE FUNCTION movements_confirmed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM recoveries r WHERE r.merchant_id = NEW.merchant_id AND r.began_at > NEW.created_at
      AND NOT EXISTS (SELECT FROM send_confirmations c WHERE c.movement_id = NEW.id AND c.at > r.began_at))
    AND NOT EXISTS (SELECT FROM recoveries r WHERE r.merchant_id = NEW.merchant_id AND r.ended_at IS NULL) THEN
    RAISE EXCEPTION 'what is older than a recovery waits for a person' USING ERRCODE = 'MV032';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER movements_confirmed BEFORE UPDATE OF state ON "movements" FOR EACH ROW WHEN (NEW.state = 'SUBMITTING' AND OLD.state <> 'SUBMITTING') EXECUTE FUNCTION movements_confirmed();
