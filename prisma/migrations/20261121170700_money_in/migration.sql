-- Money that came in as notices tell it. Both tables hold what was announced and nothing that counts: the ledger's line is the money.
CREATE TABLE "announced_top_ups" (
    "merchant_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "notice_id" BIGINT NOT NULL,
    "wallet" TEXT,
    "announced_minor" BIGINT,
    "currency" TEXT,
    "sender_name" TEXT,
    "sender_iban" TEXT,
    "sender_bank" TEXT,
    "description" TEXT,
    "bank_receipt_no" TEXT,
    "announced_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "announced_top_ups_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "failed_top_ups" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "notice_id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "code" TEXT,
    "message" TEXT,
    "wallet" TEXT,
    "announced_minor" BIGINT,
    "currency" TEXT,
    "description" TEXT,
    "state" TEXT NOT NULL DEFAULT 'OPEN',
    "seen" INTEGER NOT NULL DEFAULT 1,
    "reopened" INTEGER NOT NULL DEFAULT 0,
    "first_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "opened_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(6),
    "handled_by" UUID,
    "note" TEXT,
    "record_id" TEXT,

    CONSTRAINT "failed_top_ups_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "announced_top_ups_merchant_id_announced_at_id_idx" ON "announced_top_ups"("merchant_id", "announced_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "failed_top_ups_merchant_id_fingerprint_key" ON "failed_top_ups"("merchant_id", "fingerprint");

-- CreateIndex
CREATE INDEX "failed_top_ups_merchant_id_state_opened_at_id_idx" ON "failed_top_ups"("merchant_id", "state", "opened_at" DESC, "id");

-- CreateIndex
CREATE INDEX "failed_top_ups_merchant_id_record_id_idx" ON "failed_top_ups"("merchant_id", "record_id");

-- AddForeignKey
ALTER TABLE "announced_top_ups" ADD CONSTRAINT "announced_top_ups_notice_id_fkey" FOREIGN KEY ("notice_id") REFERENCES "notices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "failed_top_ups" ADD CONSTRAINT "failed_top_ups_notice_id_fkey" FOREIGN KEY ("notice_id") REFERENCES "notices"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "failed_top_ups" ADD CONSTRAINT "failed_top_ups_handled_by_fkey" FOREIGN KEY ("handled_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

-- A case is open, or a person said what came of it, or the ledger shows the money.
ALTER TABLE "failed_top_ups"
  ADD CONSTRAINT "failed_top_ups_state" CHECK (
    (state = 'OPEN' AND closed_at IS NULL) OR
    (state = 'HANDLED' AND closed_at IS NOT NULL AND handled_by IS NOT NULL AND note IS NOT NULL) OR
    (state = 'ARRIVED' AND closed_at IS NOT NULL AND record_id IS NOT NULL)),
  ADD CONSTRAINT "failed_top_ups_kind" CHECK (kind IN ('no_such_wallet', 'limit', 'level_limit', 'repeated', 'other'));

-- What a person's words are compared with (lib/turkish.ts).
ALTER TABLE "announced_top_ups" ADD COLUMN "text_fold" TEXT COLLATE "C"
  GENERATED ALWAYS AS (fold_for_search(coalesce(sender_name, '') || ' ' || coalesce(description, ''))) STORED;
ALTER TABLE "failed_top_ups" ADD COLUMN "description_fold" TEXT COLLATE "C" GENERATED ALWAYS AS (fold_for_search(description)) STORED;

-- Of a ledger full of payouts, the few lines that are about money that came in.
CREATE INDEX "ledger_records_top_ups" ON "ledger_records" ("merchant_id", "created_at" DESC, "id") WHERE type_id IN (1001, 1004);

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['announced_top_ups', 'failed_top_ups'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;

-- The door of notices is the web's; the worker only closes a case that the ledger has answered.
GRANT INSERT ON "announced_top_ups" TO dashboard_web;
GRANT INSERT, UPDATE ON "failed_top_ups" TO dashboard_web;
GRANT UPDATE ("state", "closed_at", "record_id") ON "failed_top_ups" TO dashboard_worker;
