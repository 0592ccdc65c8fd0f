-- Who stands in for an approver or an owner who is away, from a day to a day. Asked for by one person and confirmed by a second;
-- ended by one. Days are those of Istanbul; "starts_at" and "ends_at" are their first and last instants, half open.
CREATE TABLE "deputyships" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "deputy_id" UUID NOT NULL,
    "first_day" DATE NOT NULL,
    "last_day" DATE NOT NULL,
    "starts_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ends_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "asked_by" UUID NOT NULL,
    "asked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reason" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(6),
    "ended_at" TIMESTAMPTZ(6),

    CONSTRAINT "deputyships_pkey" PRIMARY KEY ("id")
);

-- Whom the approval stands for, when a deputy gave it.
ALTER TABLE "approvals" ADD COLUMN "deputy_of" UUID;

-- CreateIndex
CREATE INDEX "deputyships_deputy_id_ends_at_idx" ON "deputyships"("deputy_id", "ends_at");

-- CreateIndex
CREATE INDEX "deputyships_person_id_ends_at_idx" ON "deputyships"("person_id", "ends_at");

-- AddForeignKey
ALTER TABLE "deputyships" ADD CONSTRAINT "deputyships_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deputyships" ADD CONSTRAINT "deputyships_deputy_id_fkey" FOREIGN KEY ("deputy_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deputyships" ADD CONSTRAINT "deputyships_asked_by_fkey" FOREIGN KEY ("asked_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_deputy_of_fkey" FOREIGN KEY ("deputy_of") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "deputyships"
  ADD CONSTRAINT "deputyships_two" CHECK (person_id <> deputy_id AND asked_by <> deputy_id),
  ADD CONSTRAINT "deputyships_period" CHECK (last_day BETWEEN first_day AND first_day + 89);
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_deputy" CHECK (deputy_of IS NULL OR (role = 'approver' AND deputy_of <> person_id));
-- A deputy and the person represented give one approval of a movement between them.
CREATE UNIQUE INDEX "approvals_one_of_a_pair" ON "approvals" ("movement_id", coalesce("deputy_of", "person_id"));

ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_subject";
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_subject" CHECK (subject_kind IN ('movement', 'plan_charge', 'send_switch', 'person', 'invitation', 'policy', 'deputy'));

-- Two approvers or owners decide about a deputy, as they do about a person.
CREATE OR REPLACE FUNCTION second_person_requests_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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
  JOIN people p ON p.id = w.person_id AND p.merchant_id = NEW.merchant_id AND p.disabled_at IS NULL
    AND p.role = ANY(CASE WHEN NEW.subject_kind IN ('send_switch', 'person', 'invitation', 'policy', 'deputy') THEN ARRAY['approver', 'owner'] ELSE ARRAY['clerk', 'approver', 'owner'] END)
  WHERE p.id IS DISTINCT FROM NEW.maker_id;
  IF agreeing < 2 OR denying > 0 OR senior = 0 THEN
    RAISE EXCEPTION 'a request is closed when two people agree and nobody denies it' USING ERRCODE = 'MV031';
  END IF;
  RETURN NEW;
END $$;

-- Whom a person stands in for at an instant, or null. Roles and access are those of now: who has lost them stands in for nobody
-- and is represented by nobody. Only a clerk stands in: lib/people/deputy-rules.ts computes the same, and a test compares the two.
CREATE FUNCTION deputy_for(deputy UUID, instant TIMESTAMPTZ) RETURNS UUID LANGUAGE sql STABLE AS $$
  SELECT d.person_id FROM deputyships d
    JOIN people p ON p.id = d.person_id AND p.role IN ('approver', 'owner') AND p.disabled_at IS NULL
    JOIN people q ON q.id = d.deputy_id AND q.role = 'clerk' AND q.disabled_at IS NULL
  WHERE d.deputy_id = deputy AND d.confirmed_at <= instant AND d.starts_at <= instant AND d.ends_at > instant
    AND (d.ended_at IS NULL OR d.ended_at > instant) LIMIT 1;
$$;

-- What a deputyship says never changes. It begins without a second person unless there has never been one; it is confirmed by
-- two people, beside no other one of either person in these days; and it ends once.
CREATE FUNCTION deputyships_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a deputyship is never deleted' USING ERRCODE = 'MV065'; END IF;
  IF TG_OP = 'INSERT' THEN
    NEW.asked_at := clock_timestamp();
    NEW.starts_at := NEW.first_day::timestamp AT TIME ZONE 'Europe/Istanbul';
    NEW.ends_at := (NEW.last_day + 1)::timestamp AT TIME ZONE 'Europe/Istanbul';
    IF NEW.ended_at IS NOT NULL THEN RAISE EXCEPTION 'a deputyship begins open' USING ERRCODE = 'MV065'; END IF;
    IF NOT EXISTS (SELECT FROM people p WHERE p.id = NEW.asked_by AND p.merchant_id = NEW.merchant_id AND p.disabled_at IS NULL
        AND (p.role = 'owner' OR (p.role = 'approver' AND p.id = NEW.person_id))) THEN
      RAISE EXCEPTION 'an owner, or the person represented, asks for a deputy' USING ERRCODE = 'MV065';
    END IF;
  ELSE
    IF (NEW.id, NEW.merchant_id, NEW.person_id, NEW.deputy_id, NEW.first_day, NEW.last_day, NEW.starts_at, NEW.ends_at, NEW.asked_by, NEW.asked_at, NEW.reason)
       IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.person_id, OLD.deputy_id, OLD.first_day, OLD.last_day, OLD.starts_at, OLD.ends_at, OLD.asked_by, OLD.asked_at, OLD.reason)
       OR OLD.ended_at IS NOT NULL OR (OLD.confirmed_at IS NOT NULL AND NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at) THEN
      RAISE EXCEPTION 'what a deputyship says never changes' USING ERRCODE = 'MV065';
    END IF;
    IF NEW.ended_at IS NOT NULL THEN NEW.ended_at := clock_timestamp(); END IF;
  END IF;
  IF NEW.confirmed_at IS NULL OR NEW.ended_at IS NOT NULL OR (TG_OP = 'UPDATE' AND OLD.confirmed_at IS NOT NULL) THEN RETURN NEW; END IF;
  NEW.confirmed_at := clock_timestamp();
  PERFORM FROM merchants WHERE id = NEW.merchant_id FOR NO KEY UPDATE;
  IF NOT (TG_OP = 'INSERT' AND people_alone(NEW.merchant_id))
     AND NOT second_person_agreed(NEW.merchant_id, 'deputy', NEW.id::text, NEW.deputy_id, ARRAY['stand_in']) THEN
    RAISE EXCEPTION 'a deputy is confirmed by a second person' USING ERRCODE = 'MV066';
  END IF;
  IF NEW.ends_at <= clock_timestamp()
     OR NOT EXISTS (SELECT FROM people p WHERE p.id = NEW.person_id AND p.merchant_id = NEW.merchant_id AND p.role IN ('approver', 'owner') AND p.disabled_at IS NULL)
     OR NOT EXISTS (SELECT FROM people p WHERE p.id = NEW.deputy_id AND p.merchant_id = NEW.merchant_id AND p.role = 'clerk' AND p.disabled_at IS NULL) THEN
    RAISE EXCEPTION 'a clerk stands in for an approver or an owner' USING ERRCODE = 'MV067';
  END IF;
  IF EXISTS (SELECT FROM deputyships d WHERE d.id <> NEW.id AND (d.person_id = NEW.person_id OR d.deputy_id = NEW.deputy_id)
      AND d.confirmed_at IS NOT NULL AND d.ended_at IS NULL AND d.first_day <= NEW.last_day AND d.last_day >= NEW.first_day) THEN
    RAISE EXCEPTION 'one deputy of a person, and one person of a deputy, at a time' USING ERRCODE = 'MV067';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER deputyships_guard BEFORE INSERT OR UPDATE OR DELETE ON "deputyships" FOR EACH ROW EXECUTE FUNCTION deputyships_guard();

-- As it was ("approvals"), with deputies: the role of a deputy's approval is that of an approver, whoever is represented, and
-- whom it stands for is what the database knows. Neither of the two has made the movement. The row of the deputyship is locked,
-- so that one that is being ended has ended, or ends after this approval.
CREATE OR REPLACE FUNCTION approvals_guard() RETURNS trigger LANGUAGE plpgsql AS $$
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
    IF NEW.deputy_of IS NULL THEN
      RAISE EXCEPTION 'this person may not approve' USING ERRCODE = 'MV052';
    END IF;
  END IF;
  IF EXISTS (SELECT FROM movement_makers(NEW.movement_id) AS maker WHERE maker IN (NEW.person_id, NEW.deputy_of)) THEN
    RAISE EXCEPTION 'nobody approves what they have made' USING ERRCODE = 'MV053';
  END IF;
  IF EXISTS (SELECT FROM approvals a WHERE a.movement_id = NEW.movement_id
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

-- As it was ("passkeys"): a deputy's approval and one of the person represented are one.
CREATE OR REPLACE FUNCTION movements_approved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  asked INT;
  by_owners BOOLEAN;
  other BOOLEAN;
  given INT;
  released BOOLEAN;
  methods TEXT[];
BEGIN
  SELECT greatest(NEW.approvals_needed, coalesce(max(r.needed), 0)), coalesce(bool_or(r.owners_only), false),
      coalesce(bool_or(r.content_hash <> NEW.content_hash), false),
      CASE WHEN bool_or(r.step_up = 'passkey') THEN ARRAY['passkey'] WHEN bool_or(r.step_up = 'any') THEN ARRAY['passkey', 'sign_in'] END
    INTO asked, by_owners, other, methods FROM approval_requirements r WHERE r.movement_id = NEW.id;
  IF other THEN RAISE EXCEPTION 'the policy judged another content' USING ERRCODE = 'MV011'; END IF;
  IF asked = 0 THEN RETURN NEW; END IF;
  SELECT count(DISTINCT coalesce(a.deputy_of, a.person_id)) FILTER (WHERE a.role = 'owner' OR NOT by_owners),
      coalesce(bool_or(a.role = 'owner' AND a.override_reason IS NOT NULL), false)
    INTO given, released FROM approvals a LEFT JOIN step_ups s ON s.id = a.step_up_id
    WHERE a.movement_id = NEW.id AND a.content_hash = NEW.content_hash AND a.person_id <> NEW.maker_id
      AND a.deputy_of IS DISTINCT FROM NEW.maker_id
      AND (methods IS NULL OR s.method = ANY(methods));
  IF given < asked AND NOT released THEN RAISE EXCEPTION 'not enough approvals of this content' USING ERRCODE = 'MV011'; END IF;
  RETURN NEW;
END $$;

ALTER TABLE "deputyships" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "deputyships" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "deputyships" TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE (confirmed_at, ended_at) ON "deputyships" TO dashboard_web;
