-- Each closed day of the provider's two listings held against our own movements: how it ended, and what was found, as work for people.
-- Nothing here moves money: a difference never changes a movement.
CREATE TABLE "reconciliations" (
    "merchant_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "compared_at" TIMESTAMPTZ(6),
    "waiting" INTEGER NOT NULL DEFAULT 0,
    "movements" INTEGER NOT NULL DEFAULT 0,
    "requests" INTEGER NOT NULL DEFAULT 0,
    "lines" INTEGER NOT NULL DEFAULT 0,
    "sums" JSONB NOT NULL DEFAULT '{}',
    "digest" TEXT,
    "lease_until" TIMESTAMPTZ(6),

    CONSTRAINT "reconciliations_pkey" PRIMARY KEY ("merchant_id","day")
);

-- CreateTable
CREATE TABLE "differences" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "kind" TEXT NOT NULL,
    "reference" TEXT NOT NULL,
    "movement_id" UUID,
    "request_id" TEXT,
    "line_id" TEXT,
    "ours" JSONB,
    "theirs" JSONB,
    "state" TEXT NOT NULL DEFAULT 'OPEN',
    "found_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "acknowledged_by" UUID,
    "acknowledged_at" TIMESTAMPTZ(6),
    "acknowledged_reason" TEXT,
    "closed_at" TIMESTAMPTZ(6),

    CONSTRAINT "differences_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "differences_merchant_id_kind_reference_key" ON "differences"("merchant_id", "kind", "reference");

-- CreateIndex
CREATE INDEX "differences_merchant_id_day_state_idx" ON "differences"("merchant_id", "day", "state");

-- CreateIndex
CREATE INDEX "differences_movement_id_idx" ON "differences"("movement_id");

-- CreateIndex
CREATE INDEX "attempts_at_idx" ON "attempts" USING BRIN ("at");

-- AddForeignKey
ALTER TABLE "differences" ADD CONSTRAINT "differences_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "differences" ADD CONSTRAINT "differences_acknowledged_by_fkey" FOREIGN KEY ("acknowledged_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "differences"
  ADD CONSTRAINT "differences_state" CHECK (state IN ('OPEN', 'ACKNOWLEDGED', 'CLOSED')),
  ADD CONSTRAINT "differences_acknowledged" CHECK (state <> 'ACKNOWLEDGED' OR (acknowledged_by IS NOT NULL AND acknowledged_at IS NOT NULL AND acknowledged_reason IS NOT NULL));

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['reconciliations', 'differences'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;

-- The worker finds and closes; the web writes down that a person has seen it.
GRANT INSERT, UPDATE ON "reconciliations", "differences" TO dashboard_worker;
GRANT UPDATE ("state", "acknowledged_by", "acknowledged_at", "acknowledged_reason") ON "differences" TO dashboard_web;
