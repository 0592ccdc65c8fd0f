-- The rows of a submitted batch, and how the batch runs. A row becomes a movement later, with the number and the reference that
-- stand here; until then nothing of it has left.
CREATE TABLE "batch_rows" (
    "merchant_id" UUID NOT NULL,
    "batch_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "original" JSONB NOT NULL,
    "iban" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "tax_number" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "payment_type" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "overrides" JSONB NOT NULL DEFAULT '[]',
    "override_reason" TEXT,
    "retry_of" UUID,
    "movement_id" UUID NOT NULL,
    "ext_id" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(6),
    "refused" TEXT,
    "refused_params" JSONB,
    "refused_at" TIMESTAMPTZ(6),

    CONSTRAINT "batch_rows_pkey" PRIMARY KEY ("batch_id","n")
);

CREATE TABLE "batch_runs" (
    "merchant_id" UUID NOT NULL,
    "batch_id" UUID NOT NULL,
    "submitted_by" JSONB NOT NULL,
    "began_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "feed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "waits_for" TEXT,
    "fed_at" TIMESTAMPTZ(6),
    "hold" TEXT,
    "hold_detail" JSONB,
    "held_at" TIMESTAMPTZ(6),
    "held_by" UUID,
    "resumed_at" TIMESTAMPTZ(6),
    "stopped_at" TIMESTAMPTZ(6),
    "stopped_by" UUID,

    CONSTRAINT "batch_runs_pkey" PRIMARY KEY ("batch_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "batch_rows_movement_id_key" ON "batch_rows"("movement_id");

-- CreateIndex
CREATE INDEX "batch_rows_merchant_id_iban_idx" ON "batch_rows"("merchant_id", "iban");

-- AddForeignKey
ALTER TABLE "batch_rows" ADD CONSTRAINT "batch_rows_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_runs" ADD CONSTRAINT "batch_runs_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_runs" ADD CONSTRAINT "batch_runs_held_by_fkey" FOREIGN KEY ("held_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_runs" ADD CONSTRAINT "batch_runs_stopped_by_fkey" FOREIGN KEY ("stopped_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "batch_rows"
  ADD CONSTRAINT "batch_rows_amount" CHECK (amount_minor > 0),
  ADD CONSTRAINT "batch_rows_one_end" CHECK (made_at IS NULL OR refused_at IS NULL),
  ADD CONSTRAINT "batch_rows_refused" CHECK ((refused IS NULL) = (refused_at IS NULL));
ALTER TABLE "batch_runs"
  ADD CONSTRAINT "batch_runs_hold" CHECK (hold IN ('person', 'balance_short', 'fail_alike', 'maker_gone', 'restored') AND (hold IS NULL) = (held_at IS NULL)),
  ADD CONSTRAINT "batch_runs_waits_for" CHECK (waits_for IN ('provider'));
-- The rows that have not become movements.
CREATE INDEX "batch_rows_unmade" ON "batch_rows" ("batch_id", "n") WHERE made_at IS NULL AND refused_at IS NULL;

-- A row is written when its batch is submitted, and never changes. It becomes exactly the movement that it names, or is refused.
CREATE FUNCTION batch_rows_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a row of a batch is never deleted' USING ERRCODE = 'MV073'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.made_at IS NOT NULL OR NEW.refused_at IS NOT NULL
       OR NOT EXISTS (SELECT FROM batches b WHERE b.id = NEW.batch_id AND b.merchant_id = NEW.merchant_id AND b.state = 'DRAFT') THEN
      RAISE EXCEPTION 'the rows of a batch are written when it is submitted' USING ERRCODE = 'MV073';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW.merchant_id, NEW.batch_id, NEW.n, NEW.original, NEW.iban, NEW.name, NEW.tax_number, NEW.amount_minor, NEW.currency, NEW.payment_type,
      NEW.description, NEW.overrides, NEW.override_reason, NEW.retry_of, NEW.movement_id, NEW.ext_id)
     IS DISTINCT FROM (OLD.merchant_id, OLD.batch_id, OLD.n, OLD.original, OLD.iban, OLD.name, OLD.tax_number, OLD.amount_minor, OLD.currency, OLD.payment_type,
      OLD.description, OLD.overrides, OLD.override_reason, OLD.retry_of, OLD.movement_id, OLD.ext_id)
     OR OLD.made_at IS NOT NULL OR OLD.refused_at IS NOT NULL THEN
    RAISE EXCEPTION 'a row of a batch never changes' USING ERRCODE = 'MV073';
  END IF;
  IF NEW.made_at IS NULL AND NEW.refused IS NULL THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM batch_runs b WHERE b.batch_id = NEW.batch_id AND b.hold IS NULL AND b.stopped_at IS NULL) THEN
    RAISE EXCEPTION 'a batch that is held makes no movements' USING ERRCODE = 'MV074';
  END IF;
  IF NEW.refused IS NOT NULL THEN NEW.refused_at := clock_timestamp(); RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM movements m JOIN batches b ON b.id = NEW.batch_id WHERE m.id = NEW.movement_id AND m.merchant_id = NEW.merchant_id
      AND m.kind = 'payout' AND m.ext_id = NEW.ext_id AND m.wallet = b.wallet AND m.maker_id = b.maker_id AND m.retry_of IS NOT DISTINCT FROM NEW.retry_of
      AND (m.iban, m.name, m.tax_number, m.amount_minor, m.currency, m.payment_type, m.description)
        = (NEW.iban, NEW.name, NEW.tax_number, NEW.amount_minor, NEW.currency, NEW.payment_type, NEW.description)) THEN
    RAISE EXCEPTION 'a row becomes the movement that it names' USING ERRCODE = 'MV073';
  END IF;
  NEW.made_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER batch_rows_guard BEFORE INSERT OR UPDATE OR DELETE ON "batch_rows" FOR EACH ROW EXECUTE FUNCTION batch_rows_guard();

-- The number of a row belongs to its batch: no other form makes a movement of it.
CREATE FUNCTION movements_of_batches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM batch_rows r WHERE r.movement_id = NEW.id AND r.ext_id <> NEW.ext_id) THEN
    RAISE EXCEPTION 'a row becomes the movement that it names' USING ERRCODE = 'MV073';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER movements_of_batches BEFORE INSERT ON "movements" FOR EACH ROW EXECUTE FUNCTION movements_of_batches();

-- A batch begins to run once, when it is submitted; it stops once, and one that is older than a recovery does not go on.
CREATE FUNCTION batch_runs_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'the run of a batch is never deleted' USING ERRCODE = 'MV075'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF num_nonnulls(NEW.fed_at, NEW.hold, NEW.stopped_at) > 0
       OR NOT EXISTS (SELECT FROM batches b WHERE b.id = NEW.batch_id AND b.merchant_id = NEW.merchant_id AND b.state = 'SUBMITTED') THEN
      RAISE EXCEPTION 'a batch runs once it is submitted' USING ERRCODE = 'MV075';
    END IF;
    NEW.began_at := clock_timestamp();
    NEW.feed_at := NEW.began_at;
    RETURN NEW;
  END IF;
  IF (NEW.merchant_id, NEW.batch_id, NEW.submitted_by, NEW.began_at) IS DISTINCT FROM (OLD.merchant_id, OLD.batch_id, OLD.submitted_by, OLD.began_at)
     OR OLD.stopped_at IS NOT NULL OR (OLD.hold = 'restored' AND NEW.hold IS DISTINCT FROM OLD.hold)
     OR (OLD.fed_at IS NOT NULL AND NEW.fed_at IS DISTINCT FROM OLD.fed_at) THEN
    RAISE EXCEPTION 'a stopped batch stays stopped' USING ERRCODE = 'MV075';
  END IF;
  IF NEW.fed_at IS NOT NULL AND OLD.fed_at IS NULL AND EXISTS (SELECT FROM batch_rows r WHERE r.batch_id = NEW.batch_id AND r.made_at IS NULL AND r.refused_at IS NULL) THEN
    RAISE EXCEPTION 'a batch with rows that are no movements is not done' USING ERRCODE = 'MV075';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER batch_runs_guard BEFORE INSERT OR UPDATE OR DELETE ON "batch_runs" FOR EACH ROW EXECUTE FUNCTION batch_runs_guard();

ALTER TABLE "batch_rows" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "batch_rows" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "batch_rows" TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE (made_at, refused, refused_params, refused_at) ON "batch_rows" TO dashboard_web;

ALTER TABLE "batch_runs" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "batch_runs" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "batch_runs" TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE (feed_at, waits_for, fed_at, hold, hold_detail, held_at, held_by, resumed_at, stopped_at, stopped_by) ON "batch_runs" TO dashboard_web;
