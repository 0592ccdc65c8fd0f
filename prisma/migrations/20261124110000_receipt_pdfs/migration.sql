-- Many receipts leave as a ZIP, or merged as one PDF.
ALTER TABLE "receipt_archives" ADD COLUMN "file_type" TEXT NOT NULL DEFAULT 'zip';

-- The PDF that this server's Chromium printed of a receipt that came as HTML; the receipt itself stays as it came.
CREATE TABLE "receipt_pdfs" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "receipt_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "bytes" BYTEA,
    "problem" TEXT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(6),
    "made_at" TIMESTAMPTZ(6),

    CONSTRAINT "receipt_pdfs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "receipt_pdfs_receipt_id_key" ON "receipt_pdfs"("receipt_id");

-- AddForeignKey
ALTER TABLE "receipt_pdfs" ADD CONSTRAINT "receipt_pdfs_receipt_id_fkey" FOREIGN KEY ("receipt_id") REFERENCES "receipts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "receipt_archives" ADD CONSTRAINT "receipt_archives_file_type" CHECK (file_type IN ('zip', 'pdf'));
ALTER TABLE "receipt_pdfs"
  ADD CONSTRAINT "receipt_pdfs_state" CHECK (state IN ('WAITING', 'READY', 'FAILED')),
  ADD CONSTRAINT "receipt_pdfs_bytes" CHECK ((state = 'READY') = (bytes IS NOT NULL));
CREATE INDEX "receipt_pdfs_due" ON "receipt_pdfs" (merchant_id, next_at) WHERE state = 'WAITING';

ALTER TABLE "receipt_pdfs" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "receipt_pdfs" TO dashboard_web, dashboard_worker
  USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT ON "receipt_pdfs" TO dashboard_web, dashboard_worker;
-- The web asks again; what was printed is the worker's.
GRANT UPDATE (state, tries, next_at) ON "receipt_pdfs" TO dashboard_web;
GRANT UPDATE ON "receipt_pdfs" TO dashboard_worker;
