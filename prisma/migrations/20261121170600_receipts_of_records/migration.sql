-- A receipt belongs to a movement of ours, or to a line of the ledger that is none: one that somebody asked for. Lists go by when
-- the money moved, which is not when somebody asked.
ALTER TABLE "receipts" ALTER COLUMN "movement_id" DROP NOT NULL,
  ADD COLUMN "record_id" TEXT,
  ADD COLUMN "paid_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP;
UPDATE "receipts" r SET paid_at = coalesce(m.ended_at, r.created_at) FROM "movements" m WHERE m.id = r.movement_id;

-- DropIndex
DROP INDEX "receipts_merchant_id_created_at_idx";

-- CreateIndex
CREATE INDEX "receipts_merchant_id_paid_at_id_idx" ON "receipts"("merchant_id", "paid_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "receipts_merchant_id_record_id_key" ON "receipts"("merchant_id", "record_id");

-- AddForeignKey
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_merchant_id_record_id_fkey" FOREIGN KEY ("merchant_id", "record_id") REFERENCES "ledger_records"("merchant_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Many receipts as one file: which ones were asked for, and how the file is to look. The file itself is written while it is taken.
CREATE TABLE "receipt_archives" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "filter" TEXT NOT NULL,
    "picked" BOOLEAN NOT NULL,
    "asked" INTEGER NOT NULL,
    "template" TEXT NOT NULL,
    "ascii" BOOLEAN NOT NULL,
    "profile" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "receipt_archives_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "receipt_archive_items" (
    "merchant_id" UUID NOT NULL,
    "archive_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "receipt_id" UUID NOT NULL,

    CONSTRAINT "receipt_archive_items_pkey" PRIMARY KEY ("archive_id","n")
);

-- CreateIndex
CREATE INDEX "receipt_archives_merchant_id_person_id_created_at_idx" ON "receipt_archives"("merchant_id", "person_id", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "receipt_archive_items_archive_id_receipt_id_key" ON "receipt_archive_items"("archive_id", "receipt_id");

-- AddForeignKey
ALTER TABLE "receipt_archives" ADD CONSTRAINT "receipt_archives_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receipt_archive_items" ADD CONSTRAINT "receipt_archive_items_archive_id_fkey" FOREIGN KEY ("archive_id") REFERENCES "receipt_archives"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receipt_archive_items" ADD CONSTRAINT "receipt_archive_items_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "receipts" ADD CONSTRAINT "receipts_of_one" CHECK (num_nonnulls(movement_id, record_id) = 1);
ALTER TABLE "receipt_archives"
  ADD CONSTRAINT "receipt_archives_template" CHECK (template IN ('full', 'reference', 'transaction')),
  ADD CONSTRAINT "receipt_archives_profile" CHECK (profile IN ('xlsx', 'csv-excel', 'csv'));

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['receipt_archives', 'receipt_archive_items'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
    EXECUTE format('GRANT INSERT ON %I TO dashboard_web', t);
  END LOOP;
END $$;

-- What was asked for does not change. The receipts stay; the list of them goes after three months.
GRANT DELETE ON "receipt_archives" TO dashboard_worker;
CREATE POLICY kept_90_days ON "receipt_archives" AS RESTRICTIVE FOR DELETE TO dashboard_worker
  USING (created_at < clock_timestamp() - interval '90 days');
