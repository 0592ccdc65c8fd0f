-- Day close: what a wallet opened with, what moved, and what it closed with, frozen by a person; what the provider said it held is kept as evidence.
CREATE TABLE "wallet_balances" (
    "merchant_id" UUID NOT NULL,
    "wallet" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "total_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,

    CONSTRAINT "wallet_balances_pkey" PRIMARY KEY ("merchant_id","wallet","at")
);

-- CreateTable
CREATE TABLE "closed_days" (
    "merchant_id" UUID NOT NULL,
    "wallet" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "opening_minor" BIGINT NOT NULL,
    "carried_minor" BIGINT NOT NULL,
    "in_minor" BIGINT NOT NULL,
    "out_minor" BIGINT NOT NULL,
    "fee_minor" BIGINT NOT NULL,
    "closing_minor" BIGINT NOT NULL,
    "lines" INTEGER NOT NULL,
    "breaks" TEXT[],
    "reason" TEXT,
    "closed_by" UUID NOT NULL,
    "closed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "closed_days_pkey" PRIMARY KEY ("merchant_id","wallet","day")
);

-- CreateTable
CREATE TABLE "closed_day_lines" (
    "merchant_id" UUID NOT NULL,
    "wallet" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "record_id" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "booked_day" DATE NOT NULL,
    "in_minor" BIGINT NOT NULL,
    "out_minor" BIGINT NOT NULL,
    "fee_minor" BIGINT NOT NULL,

    CONSTRAINT "closed_day_lines_pkey" PRIMARY KEY ("merchant_id","wallet","day","record_id","side")
);

-- When the money moved: a payout leaves the total balance when it is completed, not when it was accepted.
ALTER TABLE "ledger_records"
  ADD COLUMN "booked_at" TIMESTAMPTZ(6) GENERATED ALWAYS AS (coalesce(completed_at, created_at)) STORED,
  ADD COLUMN "returned_at" TIMESTAMPTZ(6) GENERATED ALWAYS AS (CASE WHEN status_id = 60 THEN greatest(updated_at, completed_at, created_at) END) STORED;

-- CreateIndex
CREATE INDEX "ledger_records_merchant_id_from_wallet_booked_at_idx" ON "ledger_records"("merchant_id", "from_wallet", "booked_at");

-- CreateIndex
CREATE INDEX "ledger_records_merchant_id_to_wallet_booked_at_idx" ON "ledger_records"("merchant_id", "to_wallet", "booked_at");

-- CreateIndex
CREATE INDEX "closed_day_lines_merchant_id_wallet_booked_day_idx" ON "closed_day_lines"("merchant_id", "wallet", "booked_day");

-- AddForeignKey
ALTER TABLE "closed_days" ADD CONSTRAINT "closed_days_closed_by_fkey" FOREIGN KEY ("closed_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

-- Few lines are ever refunded.
CREATE INDEX "ledger_records_returned" ON "ledger_records" ("merchant_id", "returned_at") WHERE returned_at IS NOT NULL;

-- Frozen figures always add up, whoever writes them.
ALTER TABLE "closed_days" ADD CONSTRAINT "closed_days_sum" CHECK (closing_minor = opening_minor + carried_minor + in_minor - out_minor - fee_minor);
ALTER TABLE "closed_day_lines" ADD CONSTRAINT "closed_day_lines_side" CHECK (side IN ('in', 'out', 'back') AND booked_day <= day);

CREATE TRIGGER closed_days_append_only BEFORE UPDATE OR DELETE ON "closed_days" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER closed_day_lines_append_only BEFORE UPDATE OR DELETE ON "closed_day_lines" FOR EACH ROW EXECUTE FUNCTION append_only();

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['wallet_balances', 'closed_days', 'closed_day_lines'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;

-- A person closes a day, in the web; the worker notes what the provider says.
GRANT INSERT ON "closed_days", "closed_day_lines" TO dashboard_web;
GRANT INSERT ON "wallet_balances" TO dashboard_worker;
