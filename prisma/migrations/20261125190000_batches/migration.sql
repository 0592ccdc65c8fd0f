-- Many payouts from one file. A draft keeps the file as it was read and what its maker changed; rows, findings and sums are
-- computed from these, so that there is one truth.
CREATE TABLE "batches" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "maker_id" UUID NOT NULL,
    "wallet" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "shape" TEXT NOT NULL,
    "file_hash" TEXT NOT NULL,
    "source" BYTEA NOT NULL,
    "choices" JSONB NOT NULL DEFAULT '{}',
    "columns" JSONB,
    "defaults" JSONB NOT NULL DEFAULT '{}',
    "edits" JSONB NOT NULL DEFAULT '{}',
    "left_out" JSONB NOT NULL DEFAULT '[]',
    "ticked" JSONB NOT NULL DEFAULT '{}',
    "state" TEXT NOT NULL DEFAULT 'DRAFT',
    "version" INTEGER NOT NULL DEFAULT 1,
    "parent_id" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "submitted_at" TIMESTAMPTZ(6),
    "content_hash" TEXT,

    CONSTRAINT "batches_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "batch_columns" (
    "merchant_id" UUID NOT NULL,
    "shape" TEXT NOT NULL,
    "columns" JSONB NOT NULL,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "batch_columns_pkey" PRIMARY KEY ("merchant_id","shape")
);

-- CreateIndex
CREATE INDEX "batches_merchant_id_created_at_id_idx" ON "batches"("merchant_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "batches_merchant_id_file_hash_idx" ON "batches"("merchant_id", "file_hash");

-- AddForeignKey
ALTER TABLE "batches" ADD CONSTRAINT "batches_maker_id_fkey" FOREIGN KEY ("maker_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batches" ADD CONSTRAINT "batches_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "batches"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "batches"
  ADD CONSTRAINT "batches_state" CHECK (state IN ('DRAFT', 'SUBMITTED', 'DISCARDED')),
  ADD CONSTRAINT "batches_format" CHECK (format IN ('workbook', 'text', 'paste')),
  -- The cells of a discarded file are not kept.
  ADD CONSTRAINT "batches_source" CHECK ((length(source) = 0) = (state = 'DISCARDED')),
  ADD CONSTRAINT "batches_submitted" CHECK ((state = 'SUBMITTED') = (submitted_at IS NOT NULL) AND (submitted_at IS NULL) = (content_hash IS NULL)),
  ADD CONSTRAINT "batches_parent" CHECK (parent_id <> id);

-- What a batch came from never changes, only a draft changes, and each change counts its version up by one, so that of two
-- changes of one version the second fails. It ends once: submitted or discarded.
CREATE FUNCTION batches_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a batch is never deleted' USING ERRCODE = 'MV070'; END IF;
  IF TG_OP = 'UPDATE' AND NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;
  NEW.changed_at := clock_timestamp();
  IF TG_OP = 'INSERT' THEN
    NEW.created_at := NEW.changed_at;
    IF NEW.state <> 'DRAFT' OR NEW.version <> 1 THEN RAISE EXCEPTION 'a batch begins as a draft' USING ERRCODE = 'MV070'; END IF;
    IF NOT EXISTS (SELECT FROM people p WHERE p.id = NEW.maker_id AND p.merchant_id = NEW.merchant_id AND p.disabled_at IS NULL
        AND p.role IN ('clerk', 'approver', 'owner')) THEN
      RAISE EXCEPTION 'this person prepares no payouts' USING ERRCODE = 'MV071';
    END IF;
    IF NEW.parent_id IS NOT NULL AND NOT EXISTS (SELECT FROM batches b WHERE b.id = NEW.parent_id AND b.merchant_id = NEW.merchant_id) THEN
      RAISE EXCEPTION 'the parent of a batch is one of the same merchant' USING ERRCODE = 'MV070';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.merchant_id, NEW.maker_id, NEW.name, NEW.format, NEW.file_hash, NEW.parent_id, NEW.created_at)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.maker_id, OLD.name, OLD.format, OLD.file_hash, OLD.parent_id, OLD.created_at)
     OR (NEW.source <> OLD.source AND NEW.state <> 'DISCARDED') THEN
    RAISE EXCEPTION 'what a batch came from never changes' USING ERRCODE = 'MV070';
  END IF;
  IF OLD.state <> 'DRAFT' THEN RAISE EXCEPTION 'only a draft is changed' USING ERRCODE = 'MV072'; END IF;
  IF NEW.version <> OLD.version + 1 THEN RAISE EXCEPTION 'a change of a batch makes its next version' USING ERRCODE = 'MV072'; END IF;
  IF NEW.state = 'SUBMITTED' THEN NEW.submitted_at := NEW.changed_at; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER batches_guard BEFORE INSERT OR UPDATE OR DELETE ON "batches" FOR EACH ROW EXECUTE FUNCTION batches_guard();

ALTER TABLE "batches" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "batches" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "batches" TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE (wallet, currency, shape, source, choices, columns, defaults, edits, left_out, ticked, state, version, changed_at, submitted_at, content_hash) ON "batches" TO dashboard_web;

ALTER TABLE "batch_columns" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "batch_columns" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "batch_columns" TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE (columns, changed_at) ON "batch_columns" TO dashboard_web;
