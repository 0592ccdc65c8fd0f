-- A batch is approved as a whole: its hash is the root of a tree over its rows, and each row keeps the steps from itself to the
-- root (docs/decisions/0046). What the policy asked of all rows together stands with its run.
ALTER TABLE "batch_rows" ADD COLUMN "tree" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "batch_runs"
  ADD COLUMN "approvals_needed" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "owners_only" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "step_up" TEXT NOT NULL DEFAULT 'none',
  ADD COLUMN "policy_version" INTEGER,
  ADD COLUMN "reasons" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "approved_at" TIMESTAMPTZ(6),
  ADD COLUMN "sent_back_reason" TEXT,
  ADD COLUMN "sent_back_rows" JSONB;
-- The batches that run already needed no approval.
UPDATE "batch_runs" SET approved_at = began_at;

CREATE TABLE "batch_approvals" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "batch_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "deputy_of" UUID,
    "role" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "override_reason" TEXT,
    "step_up_id" UUID,
    "session" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "batch_approvals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "batch_approvals_batch_id_idx" ON "batch_approvals"("batch_id");

-- AddForeignKey
ALTER TABLE "batch_approvals" ADD CONSTRAINT "batch_approvals_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_approvals" ADD CONSTRAINT "batch_approvals_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_approvals" ADD CONSTRAINT "batch_approvals_deputy_of_fkey" FOREIGN KEY ("deputy_of") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_approvals" ADD CONSTRAINT "batch_approvals_step_up_id_fkey" FOREIGN KEY ("step_up_id") REFERENCES "step_ups"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The approval of a batch that an approval of one of its rows stands for.
ALTER TABLE "approvals" ADD COLUMN "batch_approval_id" UUID;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_batch_approval_id_fkey" FOREIGN KEY ("batch_approval_id") REFERENCES "batch_approvals"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "batch_runs"
  ADD CONSTRAINT "batch_runs_needed" CHECK (approvals_needed BETWEEN 0 AND 2),
  ADD CONSTRAINT "batch_runs_step_up" CHECK (step_up IN ('none', 'any', 'passkey')),
  ADD CONSTRAINT "batch_runs_sent_back" CHECK ((sent_back_reason IS NULL) = (sent_back_rows IS NULL) AND (sent_back_reason IS NULL OR stopped_at IS NOT NULL));
ALTER TABLE "batch_approvals"
  ADD CONSTRAINT "batch_approvals_role" CHECK (role IN ('approver', 'owner')),
  ADD CONSTRAINT "batch_approvals_override" CHECK (override_reason IS NULL OR role = 'owner');
CREATE UNIQUE INDEX "batch_approvals_one_of_a_person" ON "batch_approvals" ("batch_id", "person_id", ("override_reason" IS NULL));
CREATE UNIQUE INDEX "batch_approvals_one_of_a_pair" ON "batch_approvals" ("batch_id", coalesce("deputy_of", "person_id"), ("override_reason" IS NULL));

-- Whoever made a batch, or one that it was split off, is a retry of or was sent back before; with their other accounts.
CREATE FUNCTION batch_makers(batch UUID) RETURNS SETOF UUID LANGUAGE sql STABLE AS $$
  WITH RECURSIVE made AS (
    SELECT b.maker_id, b.parent_id FROM batches b WHERE b.id = batch
    UNION SELECT b.maker_id, b.parent_id FROM batches b JOIN made ON b.id = made.parent_id)
  SELECT DISTINCT one FROM made, same_login(made.maker_id) AS one;
$$;

-- As an approval of a movement ("release_beside_approval"): role and representation are what the database knows, nobody approves
-- what they have made, one login and one pair approve once, and it is of the content that waits for it.
CREATE FUNCTION batch_approvals_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  its_role TEXT;
BEGIN
  NEW.created_at := clock_timestamp();
  NEW.deputy_of := NULL;
  SELECT p.role INTO its_role FROM people p WHERE p.id = NEW.person_id AND p.merchant_id = NEW.merchant_id AND p.disabled_at IS NULL;
  IF its_role IS NULL OR its_role NOT IN ('approver', 'owner') THEN
    PERFORM FROM deputyships d WHERE d.deputy_id = NEW.person_id AND d.ends_at > NEW.created_at AND d.ended_at IS NULL FOR SHARE;
    NEW.created_at := clock_timestamp();
    NEW.deputy_of := deputy_for(NEW.person_id, NEW.created_at);
    its_role := 'approver';
    IF NEW.deputy_of IS NULL THEN RAISE EXCEPTION 'this person may not approve' USING ERRCODE = 'MV052'; END IF;
  END IF;
  IF EXISTS (SELECT FROM batch_makers(NEW.batch_id) AS maker WHERE maker IN (NEW.person_id, NEW.deputy_of)) THEN
    RAISE EXCEPTION 'nobody approves what they have made' USING ERRCODE = 'MV053';
  END IF;
  IF NEW.override_reason IS NULL AND EXISTS (SELECT FROM batch_approvals a WHERE a.batch_id = NEW.batch_id AND (
      a.person_id IN (SELECT same_login(NEW.person_id))
      OR coalesce(a.deputy_of, a.person_id) IN (SELECT same_login(coalesce(NEW.deputy_of, NEW.person_id)))) AND a.override_reason IS NULL) THEN
    RAISE EXCEPTION 'one login, and a deputy with the person represented, approves once' USING ERRCODE = 'MV055';
  END IF;
  IF NOT EXISTS (SELECT FROM batches b JOIN batch_runs r ON r.batch_id = b.id WHERE b.id = NEW.batch_id AND b.merchant_id = NEW.merchant_id
      AND b.content_hash = NEW.content_hash AND r.approved_at IS NULL AND r.stopped_at IS NULL AND r.began_at > clock_timestamp() - interval '24 hours') THEN
    RAISE EXCEPTION 'an approval is of the content that waits for it' USING ERRCODE = 'MV054';
  END IF;
  NEW.role := its_role;
  RETURN NEW;
END $$;
CREATE TRIGGER batch_approvals_guard BEFORE INSERT ON "batch_approvals" FOR EACH ROW EXECUTE FUNCTION batch_approvals_guard();
CREATE TRIGGER batch_approvals_append_only BEFORE UPDATE OR DELETE ON "batch_approvals" FOR EACH ROW EXECUTE FUNCTION append_only();

-- As it was ("release_beside_approval"). An approval of a row stands for one of its batch: person, role, representation, signature
-- and reason are those of the batch's, given in their time. Whether its people are still enabled is asked where approvals are counted.
CREATE OR REPLACE FUNCTION approvals_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  its_role TEXT;
  of_batch batch_approvals%ROWTYPE;
BEGIN
  NEW.created_at := clock_timestamp();
  NEW.deputy_of := NULL;
  IF NEW.batch_approval_id IS NOT NULL THEN
    SELECT a.* INTO of_batch FROM batch_approvals a JOIN batch_rows w ON w.batch_id = a.batch_id
      JOIN batches b ON b.id = a.batch_id AND b.content_hash = a.content_hash
      WHERE a.id = NEW.batch_approval_id AND w.movement_id = NEW.movement_id AND w.made_at IS NULL AND a.person_id = NEW.person_id
        AND a.merchant_id = NEW.merchant_id;
    IF NOT FOUND OR NEW.step_up_id IS DISTINCT FROM of_batch.step_up_id OR NEW.override_reason IS DISTINCT FROM of_batch.override_reason THEN
      RAISE EXCEPTION 'an approval of a row is one of its batch' USING ERRCODE = 'MV076';
    END IF;
    NEW.deputy_of := of_batch.deputy_of;
    its_role := of_batch.role;
  ELSE
    SELECT p.role INTO its_role FROM people p WHERE p.id = NEW.person_id AND p.merchant_id = NEW.merchant_id AND p.disabled_at IS NULL;
    IF its_role IS NULL OR its_role NOT IN ('approver', 'owner') THEN
      PERFORM FROM deputyships d WHERE d.deputy_id = NEW.person_id AND d.ends_at > NEW.created_at AND d.ended_at IS NULL FOR SHARE;
      NEW.created_at := clock_timestamp();
      NEW.deputy_of := deputy_for(NEW.person_id, NEW.created_at);
      its_role := 'approver';
      IF NEW.deputy_of IS NULL THEN
        RAISE EXCEPTION 'this person may not approve' USING ERRCODE = 'MV052';
      END IF;
    END IF;
  END IF;
  IF EXISTS (SELECT FROM movement_makers(NEW.movement_id) AS maker WHERE maker IN (NEW.person_id, NEW.deputy_of)) THEN
    RAISE EXCEPTION 'nobody approves what they have made' USING ERRCODE = 'MV053';
  END IF;
  IF NEW.override_reason IS NULL AND EXISTS (SELECT FROM approvals a WHERE a.movement_id = NEW.movement_id
      AND coalesce(a.deputy_of, a.person_id) IN (SELECT same_login(coalesce(NEW.deputy_of, NEW.person_id)))
      AND (a.deputy_of IS NOT NULL OR NEW.deputy_of IS NOT NULL)) THEN
    RAISE EXCEPTION 'a deputy and the person represented approve once' USING ERRCODE = 'MV055';
  END IF;
  IF NOT EXISTS (SELECT FROM movements m WHERE m.id = NEW.movement_id AND m.merchant_id = NEW.merchant_id
      AND m.state = 'AWAITING_APPROVAL' AND m.content_hash = NEW.content_hash) THEN
    RAISE EXCEPTION 'an approval is of the content that waits for it' USING ERRCODE = 'MV054';
  END IF;
  NEW.role := its_role;
  RETURN NEW;
END $$;

-- As it was ("batch_rows"): the steps of a row to the root never change either, and a row becomes a movement once its batch is approved.
CREATE OR REPLACE FUNCTION batch_rows_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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
      NEW.description, NEW.overrides, NEW.override_reason, NEW.retry_of, NEW.movement_id, NEW.ext_id, NEW.tree)
     IS DISTINCT FROM (OLD.merchant_id, OLD.batch_id, OLD.n, OLD.original, OLD.iban, OLD.name, OLD.tax_number, OLD.amount_minor, OLD.currency, OLD.payment_type,
      OLD.description, OLD.overrides, OLD.override_reason, OLD.retry_of, OLD.movement_id, OLD.ext_id, OLD.tree)
     OR OLD.made_at IS NOT NULL OR OLD.refused_at IS NOT NULL THEN
    RAISE EXCEPTION 'a row of a batch never changes' USING ERRCODE = 'MV073';
  END IF;
  IF NEW.made_at IS NULL AND NEW.refused IS NULL THEN RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM batch_runs b WHERE b.batch_id = NEW.batch_id AND b.hold IS NULL AND b.stopped_at IS NULL AND b.approved_at IS NOT NULL) THEN
    RAISE EXCEPTION 'a batch that is held or not approved makes no movements' USING ERRCODE = 'MV074';
  END IF;
  IF NEW.refused IS NOT NULL THEN NEW.refused_at := clock_timestamp(); RETURN NEW; END IF;
  IF NOT EXISTS (SELECT FROM movements m JOIN batches b ON b.id = NEW.batch_id JOIN batch_runs r ON r.batch_id = b.id
      WHERE m.id = NEW.movement_id AND m.merchant_id = NEW.merchant_id AND m.approvals_needed >= r.approvals_needed
      AND m.kind = 'payout' AND m.ext_id = NEW.ext_id AND m.wallet = b.wallet AND m.maker_id = b.maker_id AND m.retry_of IS NOT DISTINCT FROM NEW.retry_of
      AND (m.iban, m.name, m.tax_number, m.amount_minor, m.currency, m.payment_type, m.description)
        = (NEW.iban, NEW.name, NEW.tax_number, NEW.amount_minor, NEW.currency, NEW.payment_type, NEW.description)) THEN
    RAISE EXCEPTION 'a row becomes the movement that it names' USING ERRCODE = 'MV073';
  END IF;
  NEW.made_at := clock_timestamp();
  RETURN NEW;
END $$;

-- As it was ("batch_rows"): what is asked of a batch becomes only stricter, and it is approved once, by enough people.
CREATE OR REPLACE FUNCTION batch_runs_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  given INT;
  released BOOLEAN;
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'the run of a batch is never deleted' USING ERRCODE = 'MV075'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF num_nonnulls(NEW.fed_at, NEW.hold, NEW.stopped_at) > 0
       OR NOT EXISTS (SELECT FROM batches b WHERE b.id = NEW.batch_id AND b.merchant_id = NEW.merchant_id AND b.state = 'SUBMITTED') THEN
      RAISE EXCEPTION 'a batch runs once it is submitted' USING ERRCODE = 'MV075';
    END IF;
    NEW.began_at := clock_timestamp();
    NEW.feed_at := NEW.began_at;
    NEW.approved_at := CASE WHEN NEW.approvals_needed = 0 THEN NEW.began_at END;
    RETURN NEW;
  END IF;
  IF (NEW.merchant_id, NEW.batch_id, NEW.submitted_by, NEW.began_at) IS DISTINCT FROM (OLD.merchant_id, OLD.batch_id, OLD.submitted_by, OLD.began_at)
     OR OLD.stopped_at IS NOT NULL OR (OLD.hold = 'restored' AND NEW.hold IS DISTINCT FROM OLD.hold)
     OR (OLD.fed_at IS NOT NULL AND NEW.fed_at IS DISTINCT FROM OLD.fed_at) THEN
    RAISE EXCEPTION 'a stopped batch stays stopped' USING ERRCODE = 'MV075';
  END IF;
  IF NEW.approvals_needed < OLD.approvals_needed OR NEW.owners_only < OLD.owners_only
     OR array_position(ARRAY['none', 'any', 'passkey'], NEW.step_up) < array_position(ARRAY['none', 'any', 'passkey'], OLD.step_up)
     OR (OLD.approved_at IS NOT NULL AND (NEW.approved_at, NEW.approvals_needed, NEW.owners_only, NEW.step_up, NEW.policy_version, NEW.reasons)
       IS DISTINCT FROM (OLD.approved_at, OLD.approvals_needed, OLD.owners_only, OLD.step_up, OLD.policy_version, OLD.reasons)) THEN
    RAISE EXCEPTION 'what is asked of a batch becomes only stricter' USING ERRCODE = 'MV076';
  END IF;
  IF NEW.approved_at IS NOT NULL AND OLD.approved_at IS NULL THEN
    NEW.approved_at := clock_timestamp();
    SELECT count(DISTINCT coalesce(a.deputy_of, a.person_id)) FILTER (WHERE a.role = 'owner' OR NOT NEW.owners_only),
        coalesce(bool_or(a.role = 'owner' AND a.override_reason IS NOT NULL), false)
      INTO given, released FROM batch_approvals a JOIN batches b ON b.id = a.batch_id AND b.content_hash = a.content_hash
        LEFT JOIN step_ups s ON s.id = a.step_up_id
      WHERE a.batch_id = NEW.batch_id
        AND NOT EXISTS (SELECT FROM people p WHERE p.id IN (a.person_id, a.deputy_of) AND p.disabled_at IS NOT NULL)
        AND CASE NEW.step_up WHEN 'passkey' THEN s.method = 'passkey' WHEN 'any' THEN s.id IS NOT NULL ELSE true END;
    IF (given < NEW.approvals_needed AND NOT released) OR NEW.began_at <= clock_timestamp() - interval '24 hours' THEN
      RAISE EXCEPTION 'not enough approvals of this content' USING ERRCODE = 'MV011';
    END IF;
  END IF;
  IF NEW.fed_at IS NOT NULL AND OLD.fed_at IS NULL AND EXISTS (SELECT FROM batch_rows r WHERE r.batch_id = NEW.batch_id AND r.made_at IS NULL AND r.refused_at IS NULL) THEN
    RAISE EXCEPTION 'a batch with rows that are no movements is not done' USING ERRCODE = 'MV075';
  END IF;
  RETURN NEW;
END $$;

ALTER TABLE "batch_approvals" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "batch_approvals" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "batch_approvals" TO dashboard_web, dashboard_worker;
GRANT INSERT ON "batch_approvals" TO dashboard_web;
GRANT UPDATE (approvals_needed, owners_only, step_up, policy_version, reasons, approved_at, sent_back_reason, sent_back_rows) ON "batch_runs" TO dashboard_web;
