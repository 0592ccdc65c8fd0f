-- What needs two people: one open request for each subject, and what each person has said of it. The words are append-only.
CREATE TABLE "second_person_requests" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "bound_to" TEXT NOT NULL,
    "maker_id" UUID,
    "needs" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(6),
    "outcome" TEXT,

    CONSTRAINT "second_person_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "second_person_words" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "claim" TEXT,
    "reason" TEXT NOT NULL,
    "reference" TEXT,
    "evidence" JSONB NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "second_person_words_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "second_person_requests_subject_kind_subject_id_opened_at_idx" ON "second_person_requests"("subject_kind", "subject_id", "opened_at" DESC);

-- CreateIndex
CREATE INDEX "second_person_words_request_id_id_idx" ON "second_person_words"("request_id", "id");

-- AddForeignKey
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_maker_id_fkey" FOREIGN KEY ("maker_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "second_person_words" ADD CONSTRAINT "second_person_words_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "second_person_requests"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "second_person_words" ADD CONSTRAINT "second_person_words_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "second_person_requests"
  ADD CONSTRAINT "second_person_requests_subject" CHECK (subject_kind IN ('movement', 'plan_charge', 'send_switch')),
  ADD CONSTRAINT "second_person_requests_needs" CHECK (needs IN ('approver', 'owner')),
  ADD CONSTRAINT "second_person_requests_closed" CHECK (outcome IS NULL OR closed_at IS NOT NULL);
CREATE UNIQUE INDEX "second_person_requests_one_open" ON "second_person_requests" ("merchant_id", "subject_kind", "subject_id") WHERE closed_at IS NULL;

-- A request ends with an outcome only when the latest words of two people agree on it and nobody's latest word says otherwise.
-- A word counts for a day. The maker's does not count, nor that of a person who may not sign in any more.
CREATE FUNCTION second_person_requests_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  agreeing INT;
  denying INT;
  senior INT;
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a request to two people is never deleted' USING ERRCODE = 'MV030'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.closed_at IS NOT NULL OR NEW.outcome IS NOT NULL THEN RAISE EXCEPTION 'a request to two people begins open' USING ERRCODE = 'MV030'; END IF;
    RETURN NEW;
  END IF;
  IF OLD.closed_at IS NOT NULL THEN RAISE EXCEPTION 'a request to two people that is closed stays closed' USING ERRCODE = 'MV030'; END IF;
  IF (NEW.id, NEW.merchant_id, NEW.subject_kind, NEW.subject_id, NEW.bound_to, NEW.maker_id, NEW.needs, NEW.opened_at)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.subject_kind, OLD.subject_id, OLD.bound_to, OLD.maker_id, OLD.needs, OLD.opened_at) THEN
    RAISE EXCEPTION 'what two people are asked about never changes' USING ERRCODE = 'MV030';
  END IF;
  NEW.closed_at := clock_timestamp();
  IF NEW.outcome IS NULL THEN RETURN NEW; END IF;
  SELECT count(*) FILTER (WHERE w.claim = NEW.outcome), count(*) FILTER (WHERE w.claim <> NEW.outcome),
    count(*) FILTER (WHERE w.claim = NEW.outcome AND (p.role = 'owner' OR (p.role = 'approver' AND NEW.needs = 'approver')))
    INTO agreeing, denying, senior
  FROM (
    SELECT DISTINCT ON (person_id) person_id, claim FROM second_person_words
    WHERE request_id = NEW.id AND at > clock_timestamp() - interval '24 hours' ORDER BY person_id, id DESC) w
  JOIN people p ON p.id = w.person_id AND p.merchant_id = NEW.merchant_id AND p.disabled_at IS NULL AND p.role IN ('clerk', 'approver', 'owner')
  WHERE p.id IS DISTINCT FROM NEW.maker_id;
  IF agreeing < 2 OR denying > 0 OR senior = 0 THEN
    RAISE EXCEPTION 'a request is closed when two people agree and nobody denies it' USING ERRCODE = 'MV031';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER second_person_requests_guard BEFORE INSERT OR UPDATE OR DELETE ON "second_person_requests" FOR EACH ROW EXECUTE FUNCTION second_person_requests_guard();

CREATE FUNCTION second_person_words_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN RAISE EXCEPTION 'what a person said is never changed' USING ERRCODE = 'MV032'; END IF;
  IF NOT EXISTS (SELECT FROM second_person_requests r WHERE r.id = NEW.request_id AND r.merchant_id = NEW.merchant_id AND r.closed_at IS NULL AND r.maker_id IS DISTINCT FROM NEW.person_id) THEN
    RAISE EXCEPTION 'the maker has no word in it, and a closed request takes none' USING ERRCODE = 'MV032';
  END IF;
  NEW.at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER second_person_words_guard BEFORE INSERT OR UPDATE OR DELETE ON "second_person_words" FOR EACH ROW EXECUTE FUNCTION second_person_words_guard();

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['second_person_requests', 'second_person_words'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;
GRANT INSERT, UPDATE ("closed_at", "outcome") ON "second_person_requests" TO dashboard_web;
GRANT INSERT ON "second_person_words" TO dashboard_web;
GRANT USAGE ON SEQUENCE "second_person_words_id_seq" TO dashboard_web;

-- Whether two people have agreed on this in the transaction that asks.
CREATE FUNCTION second_person_agreed(merchant UUID, kind TEXT, subject TEXT, maker UUID, outcomes TEXT[]) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM second_person_requests r WHERE r.merchant_id = merchant AND r.subject_kind = kind AND r.subject_id = subject
      AND r.maker_id IS NOT DISTINCT FROM maker AND r.outcome = ANY(outcomes) AND r.closed_at >= transaction_timestamp());
$$;

-- Sending that is stopped ---------------------------------------------------------------------------------------

-- A request to let sending go on that was open when this migration ran is asked for anew.
DROP TRIGGER send_switches_guard ON "send_switches";
ALTER TABLE "send_switches" DROP COLUMN "release_asked_by", DROP COLUMN "release_asked_at", DROP COLUMN "release_reason";

-- One is enough to stop, two are needed to go on, and the worker can only stop. Whatever the system stopped needs an owner
-- among the two. The request is bound to this stop: a later one of the same cause is another.
CREATE OR REPLACE FUNCTION send_switches_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a switch is never deleted' USING ERRCODE = 'MV020'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NOT NEW.off THEN RAISE EXCEPTION 'a switch begins by stopping' USING ERRCODE = 'MV020'; END IF;
    RETURN NEW;
  END IF;
  IF NOT OLD.off OR NEW.off THEN RETURN NEW; END IF;
  IF NOT pg_has_role(current_user, 'dashboard_web', 'MEMBER') OR NOT EXISTS (
    SELECT FROM second_person_requests r JOIN second_person_words w ON w.request_id = r.id AND w.person_id = NEW.released_by AND w.claim = 'resume'
      JOIN people p ON p.id = w.person_id AND p.role IN ('approver', 'owner')
    WHERE r.merchant_id = NEW.merchant_id AND r.subject_kind = 'send_switch' AND r.subject_id = NEW.rail || ' ' || NEW.cause AND r.outcome = 'resume'
      AND r.opened_at >= OLD.changed_at AND r.closed_at >= transaction_timestamp() AND (NEW.cause = 'person' OR r.needs = 'owner')) THEN
    RAISE EXCEPTION 'sending goes on when two people say so' USING ERRCODE = 'MV021';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER send_switches_guard BEFORE INSERT OR UPDATE OR DELETE ON "send_switches" FOR EACH ROW EXECUTE FUNCTION send_switches_guard();

-- Movements that no machine can end -----------------------------------------------------------------------------

INSERT INTO "movement_steps" ("from_state", "to_state", "taken_by") VALUES
  ('UNKNOWN', 'COMPLETED', 'dashboard_web'),
  ('PENDING', 'COMPLETED', 'dashboard_web'),
  ('PENDING', 'FAILED', 'dashboard_web'),
  ('MANUAL_REVIEW', 'COMPLETED', 'dashboard_web'),
  ('MANUAL_REVIEW', 'FAILED', 'dashboard_web');

-- What left is ended by the provider's record, which the worker reads, or by two people who are not its maker. That a hold is
-- still as it was is on the record itself: of a capture and a release one person may say that it was not carried out.
CREATE FUNCTION movements_two_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = OLD.state OR OLD.state NOT IN ('UNKNOWN', 'PENDING', 'MANUAL_REVIEW') OR pg_has_role(current_user, 'dashboard_worker', 'MEMBER') THEN RETURN NEW; END IF;
  IF NEW.rail IN ('card_capture', 'card_release') AND OLD.state = 'UNKNOWN' AND NEW.state = 'FAILED' THEN RETURN NEW; END IF;
  IF NOT second_person_agreed(NEW.merchant_id, 'movement', NEW.id::text, NEW.maker_id,
    CASE NEW.state WHEN 'COMPLETED' THEN ARRAY['done'] WHEN 'FAILED' THEN ARRAY['not_done'] WHEN 'PENDING' THEN ARRAY['taken'] ELSE ARRAY[]::TEXT[] END) THEN
    RAISE EXCEPTION 'what may have been paid is ended by its record or by two people' USING ERRCODE = 'MV013';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER movements_two_people BEFORE UPDATE ON "movements" FOR EACH ROW EXECUTE FUNCTION movements_two_people();

-- Charges of a plan that its record never settles ---------------------------------------------------------------

CREATE OR REPLACE FUNCTION plan_charges_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a charge of a plan is never deleted' USING ERRCODE = 'MV021'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'QUEUED' OR NEW.sent_at IS NOT NULL THEN RAISE EXCEPTION 'a charge of a plan begins before it is sent' USING ERRCODE = 'MV021'; END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.merchant_id, NEW.plan_id, NEW.person_id, NEW.number, NEW.amount_minor, NEW.currency, NEW.asked_at)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.plan_id, OLD.person_id, OLD.number, OLD.amount_minor, OLD.currency, OLD.asked_at) THEN
    RAISE EXCEPTION 'what was asked for never changes' USING ERRCODE = 'MV022';
  END IF;
  IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('QUEUED', 'SENDING'), ('QUEUED', 'NOT_CHARGED'), ('SENDING', 'APPROVED'), ('SENDING', 'UNKNOWN'), ('SENDING', 'NOT_CHARGED'),
    ('APPROVED', 'CHARGED'), ('APPROVED', 'NOT_CHARGED'), ('UNKNOWN', 'CHARGED'), ('UNKNOWN', 'NOT_CHARGED')) THEN
    RAISE EXCEPTION 'no step from % to %', OLD.state, NEW.state USING ERRCODE = 'MV023';
  END IF;
  IF NEW.sent_at IS DISTINCT FROM OLD.sent_at AND NOT (OLD.state = 'QUEUED' AND NEW.state = 'SENDING' AND OLD.sent_at IS NULL)
     OR NEW.state = 'SENDING' AND (NEW.sent_at IS NULL OR NEW.charges_before IS NULL) THEN
    RAISE EXCEPTION 'a charge of a plan is sent once, and the plan is read before' USING ERRCODE = 'MV024';
  END IF;
  RETURN NEW;
END $$;

-- A charge that left is ended by the plan's record, which the worker reads, or by two people who did not ask for it. What the
-- gateway called carried out is denied by people alone.
CREATE FUNCTION plan_charges_two_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = OLD.state OR OLD.state NOT IN ('UNKNOWN', 'APPROVED') THEN RETURN NEW; END IF;
  IF pg_has_role(current_user, 'dashboard_worker', 'MEMBER') AND NOT (OLD.state = 'APPROVED' AND NEW.state = 'NOT_CHARGED') THEN RETURN NEW; END IF;
  IF NOT second_person_agreed(NEW.merchant_id, 'plan_charge', NEW.id::text, NEW.person_id,
    CASE NEW.state WHEN 'CHARGED' THEN ARRAY['done'] WHEN 'NOT_CHARGED' THEN ARRAY['not_done'] ELSE ARRAY[]::TEXT[] END) THEN
    RAISE EXCEPTION 'a charge that may have been taken is ended by its record or by two people' USING ERRCODE = 'MV025';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER plan_charges_two_people BEFORE UPDATE ON "plan_charges" FOR EACH ROW EXECUTE FUNCTION plan_charges_two_people();
GRANT UPDATE ("state", "reason", "ended_at") ON "plan_charges" TO dashboard_web;
