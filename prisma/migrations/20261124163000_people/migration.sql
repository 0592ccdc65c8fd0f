-- An invitation gives an e-mail address its role at its first sign-in. One that was not confirmed where
-- two people are needed, that was withdrawn, used or has expired gives nothing.
CREATE TABLE "person_invitations" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "invited_by" UUID NOT NULL,
    "invited_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(6),
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "withdrawn_at" TIMESTAMPTZ(6),
    "used_at" TIMESTAMPTZ(6),
    "person_id" UUID,

    CONSTRAINT "person_invitations_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "people" ADD COLUMN "senior_since" TIMESTAMPTZ(6);

-- CreateIndex
CREATE INDEX "person_invitations_merchant_id_invited_at_idx" ON "person_invitations"("merchant_id", "invited_at" DESC);

-- AddForeignKey
ALTER TABLE "person_invitations" ADD CONSTRAINT "person_invitations_invited_by_fkey" FOREIGN KEY ("invited_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "person_invitations" ADD CONSTRAINT "person_invitations_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "person_invitations"
  ADD CONSTRAINT "person_invitations_role" CHECK (role IN ('clerk', 'approver', 'owner', 'support', 'auditor')),
  ADD CONSTRAINT "person_invitations_email" CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  ADD CONSTRAINT "person_invitations_used" CHECK ((used_at IS NULL) = (person_id IS NULL) AND (used_at IS NULL OR withdrawn_at IS NULL));
CREATE UNIQUE INDEX "person_invitations_one_open" ON "person_invitations" ("merchant_id", "email") WHERE used_at IS NULL AND withdrawn_at IS NULL;

ALTER TABLE "person_invitations" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "person_invitations" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ("confirmed_at", "withdrawn_at", "used_at", "person_id") ON "person_invitations" TO dashboard_web;
GRANT SELECT ON "person_invitations" TO dashboard_worker;

-- Two people decide about a person and about an invitation: an approver or an owner, one of them an owner.
ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_subject";
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_subject" CHECK (subject_kind IN ('movement', 'plan_charge', 'send_switch', 'person', 'invitation'));

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
    AND p.role = ANY(CASE WHEN NEW.subject_kind IN ('send_switch', 'person', 'invitation') THEN ARRAY['approver', 'owner'] ELSE ARRAY['clerk', 'approver', 'owner'] END)
  WHERE p.id IS DISTINCT FROM NEW.maker_id;
  IF agreeing < 2 OR denying > 0 OR senior = 0 THEN
    RAISE EXCEPTION 'a request is closed when two people agree and nobody denies it' USING ERRCODE = 'MV031';
  END IF;
  RETURN NEW;
END $$;

-- Since when a person is, or ever was, one of those who can be the second of two. It is never cleared: while a
-- merchant has never had a second such person, its owner acts alone; nobody gets back there by demoting the others.
UPDATE "people" SET senior_since = created_at WHERE role IN ('approver', 'owner');
CREATE FUNCTION people_senior() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.senior_since IS NOT NULL THEN NEW.senior_since := OLD.senior_since;
  ELSIF NEW.role IN ('approver', 'owner') THEN NEW.senior_since := clock_timestamp();
  ELSE NEW.senior_since := NULL; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER people_a_senior BEFORE INSERT OR UPDATE ON "people" FOR EACH ROW EXECUTE FUNCTION people_senior();

CREATE FUNCTION people_alone(merchant UUID) RETURNS BOOLEAN LANGUAGE sql VOLATILE AS $$
  SELECT count(*) <= 1 FROM people WHERE merchant_id = merchant AND senior_since IS NOT NULL;
$$;

-- Whether the second role can do nothing that the first cannot; lib/people/rules.ts computes the same from the
-- permissions, and a test compares the two.
CREATE FUNCTION people_narrows(was TEXT, becomes TEXT) RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS $$
  SELECT was = becomes OR was = 'owner' OR (was, becomes) IN (('approver', 'clerk'), ('approver', 'support'), ('clerk', 'support'));
$$;

-- The web gives more rights only with two people, and never takes them from the last owner who may sign in. The
-- database's owner is not held: that is how a merchant without an owner is repaired.
CREATE FUNCTION people_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_user <> 'dashboard_web' THEN RETURN NEW; END IF;
  IF OLD.disabled_at IS NOT NULL AND NEW.disabled_at IS NULL AND NOT people_alone(NEW.merchant_id)
     AND NOT second_person_agreed(NEW.merchant_id, 'person', NEW.id::text, NEW.id, ARRAY['enable']) THEN
    RAISE EXCEPTION 'a person is enabled again by two people' USING ERRCODE = 'MV040';
  END IF;
  IF NOT people_narrows(OLD.role, NEW.role) AND NOT people_alone(NEW.merchant_id)
     AND NOT second_person_agreed(NEW.merchant_id, 'person', NEW.id::text, NEW.id, ARRAY['role:' || NEW.role]) THEN
    RAISE EXCEPTION 'a role with more rights is given by two people' USING ERRCODE = 'MV040';
  END IF;
  IF OLD.role = 'owner' AND OLD.disabled_at IS NULL AND (NEW.role <> 'owner' OR NEW.disabled_at IS NOT NULL) THEN
    PERFORM FROM merchants WHERE id = NEW.merchant_id FOR NO KEY UPDATE;
    IF NOT EXISTS (SELECT FROM people WHERE merchant_id = NEW.merchant_id AND id <> NEW.id AND role = 'owner' AND disabled_at IS NULL) THEN
      RAISE EXCEPTION 'a merchant keeps one owner who may sign in' USING ERRCODE = 'MV041';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER people_guard BEFORE UPDATE OF "role", "disabled_at" ON "people" FOR EACH ROW EXECUTE FUNCTION people_guard();

CREATE FUNCTION person_invitations_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'an invitation is never deleted' USING ERRCODE = 'MV042'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.used_at IS NOT NULL OR NEW.withdrawn_at IS NOT NULL THEN RAISE EXCEPTION 'an invitation begins open' USING ERRCODE = 'MV042'; END IF;
    IF NEW.confirmed_at IS NOT NULL AND NOT people_alone(NEW.merchant_id) THEN RAISE EXCEPTION 'an invitation begins without a second person' USING ERRCODE = 'MV042'; END IF;
    RETURN NEW;
  END IF;
  IF OLD.used_at IS NOT NULL OR OLD.withdrawn_at IS NOT NULL THEN RAISE EXCEPTION 'an invitation that has ended stays as it is' USING ERRCODE = 'MV042'; END IF;
  IF (NEW.id, NEW.merchant_id, NEW.email, NEW.role, NEW.invited_by, NEW.invited_at, NEW.expires_at)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.email, OLD.role, OLD.invited_by, OLD.invited_at, OLD.expires_at) THEN
    RAISE EXCEPTION 'what an invitation gives never changes' USING ERRCODE = 'MV042';
  END IF;
  IF NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at AND (OLD.confirmed_at IS NOT NULL
     OR NOT second_person_agreed(NEW.merchant_id, 'invitation', NEW.id::text, NULL, ARRAY['invite'])) THEN
    RAISE EXCEPTION 'an invitation is confirmed by a second person' USING ERRCODE = 'MV042';
  END IF;
  IF NEW.used_at IS NOT NULL AND (OLD.expires_at <= clock_timestamp() OR (OLD.role IN ('approver', 'owner') AND OLD.confirmed_at IS NULL)) THEN
    RAISE EXCEPTION 'an invitation that has expired or was not confirmed gives nothing' USING ERRCODE = 'MV042';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER person_invitations_guard BEFORE INSERT OR UPDATE OR DELETE ON "person_invitations" FOR EACH ROW EXECUTE FUNCTION person_invitations_guard();
