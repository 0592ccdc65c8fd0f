-- A draft of the rows of an earlier batch, and submitted batches that have a name as a template. The rows of a submitted batch never
-- change, so that a template is the name alone (docs/decisions/0048).
ALTER TABLE "batches" ADD COLUMN "from_id" UUID;

CREATE TABLE "batch_templates" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "batch_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "made_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(6),

    CONSTRAINT "batch_templates_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "batch_templates_merchant_id_created_at_idx" ON "batch_templates"("merchant_id", "created_at");

-- AddForeignKey
ALTER TABLE "batches" ADD CONSTRAINT "batches_from_id_fkey" FOREIGN KEY ("from_id") REFERENCES "batches"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_templates" ADD CONSTRAINT "batch_templates_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_templates" ADD CONSTRAINT "batch_templates_made_by_fkey" FOREIGN KEY ("made_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "batches" DROP CONSTRAINT "batches_format",
  ADD CONSTRAINT "batches_format" CHECK (format IN ('workbook', 'text', 'paste', 'earlier') AND (format = 'earlier') = (from_id IS NOT NULL));

ALTER TABLE "batch_templates"
  ADD COLUMN "name_fold" TEXT COLLATE "C" GENERATED ALWAYS AS (fold_for_search(name)) STORED,
  ADD CONSTRAINT "batch_templates_name" CHECK (length(name) BETWEEN 1 AND 60);
CREATE UNIQUE INDEX "batch_templates_one_name" ON "batch_templates" ("merchant_id", "name_fold") WHERE deleted_at IS NULL;

-- Only rows that were submitted are repeated or named: they are what was judged and never change.
CREATE FUNCTION submitted_batch_only() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE named UUID := CASE TG_TABLE_NAME WHEN 'batches' THEN (to_jsonb(NEW)->>'from_id')::uuid ELSE (to_jsonb(NEW)->>'batch_id')::uuid END;
BEGIN
  IF named IS NOT NULL AND NOT EXISTS (SELECT FROM batches b WHERE b.id = named AND b.merchant_id = NEW.merchant_id AND b.state = 'SUBMITTED') THEN
    RAISE EXCEPTION 'only the rows of a submitted batch are repeated' USING ERRCODE = 'MV070';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER batches_from BEFORE INSERT ON "batches" FOR EACH ROW WHEN (NEW.from_id IS NOT NULL) EXECUTE FUNCTION submitted_batch_only();
CREATE TRIGGER batch_templates_of BEFORE INSERT ON "batch_templates" FOR EACH ROW EXECUTE FUNCTION submitted_batch_only();

ALTER TABLE "batch_templates" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "batch_templates" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "batch_templates" TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE ("name", "deleted_at") ON "batch_templates" TO dashboard_web;
