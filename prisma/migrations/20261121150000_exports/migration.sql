-- A list as a file: what was asked for, how far it is, and its bytes in pieces.
CREATE TABLE "exports" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "profile" TEXT NOT NULL,
    "filter" TEXT NOT NULL,
    "frame" JSONB NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'MAKING',
    "expected" INTEGER,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "size" BIGINT,
    "digest" TEXT,
    "sums" JSONB,
    "progress" JSONB,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lease_token" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "exports_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "export_pieces" (
    "merchant_id" UUID NOT NULL,
    "export_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "rows_at" INTEGER NOT NULL DEFAULT 0,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "export_pieces_pkey" PRIMARY KEY ("export_id","n")
);

-- CreateIndex
CREATE INDEX "exports_merchant_id_person_id_created_at_idx" ON "exports"("merchant_id", "person_id", "created_at" DESC);

-- AddForeignKey
ALTER TABLE "exports" ADD CONSTRAINT "exports_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "export_pieces" ADD CONSTRAINT "export_pieces_export_id_fkey" FOREIGN KEY ("export_id") REFERENCES "exports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "exports"
  ADD CONSTRAINT "exports_profile" CHECK (profile IN ('xlsx', 'csv-excel', 'csv')),
  ADD CONSTRAINT "exports_state" CHECK (state IN ('MAKING', 'READY', 'FAILED', 'DELETED', 'EXPIRED'));
CREATE INDEX "exports_due" ON "exports" ("merchant_id", "lease_until") WHERE state = 'MAKING';
-- Packed already: a second attempt costs time and gains nothing.
ALTER TABLE "export_pieces" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['exports', 'export_pieces'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;

-- The web asks for a file and throws one away; what is in it only the worker writes. A line about an export outlives its bytes
-- by three months.
GRANT INSERT, UPDATE ("state") ON "exports" TO dashboard_web;
GRANT DELETE ON "export_pieces" TO dashboard_web;
GRANT UPDATE, DELETE ON "exports" TO dashboard_worker;
GRANT INSERT, DELETE ON "export_pieces" TO dashboard_worker;
CREATE POLICY kept_90_days ON "exports" AS RESTRICTIVE FOR DELETE TO dashboard_worker
  USING (expires_at < clock_timestamp() - interval '90 days');
