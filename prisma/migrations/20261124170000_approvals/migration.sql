-- Which payments need the approval of how many people is a policy of the merchant: proposed by an
-- owner, confirmed by a second person, dated, never changed. Without a version nothing needs one.
CREATE TABLE "policy_proposals" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "rules" JSONB NOT NULL,
    "based_on" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "proposed_by" UUID NOT NULL,
    "proposed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "policy_proposals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "policy_versions" (
    "merchant_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "rules" JSONB NOT NULL,
    "proposal_id" UUID NOT NULL,
    "proposed_by" UUID NOT NULL,
    "confirmed_by" UUID NOT NULL,
    "valid_from" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "policy_versions_pkey" PRIMARY KEY ("merchant_id","version")
);

-- What the policy of a moment asked of a movement; a later row adds to the earlier ones.
CREATE TABLE "approval_requirements" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "movement_id" UUID NOT NULL,
    "policy_version" INTEGER NOT NULL,
    "needed" INTEGER NOT NULL,
    "owners_only" BOOLEAN NOT NULL,
    "reasons" JSONB NOT NULL,
    "content_hash" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "approval_requirements_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "policy_proposals_merchant_id_proposed_at_idx" ON "policy_proposals"("merchant_id", "proposed_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "policy_versions_proposal_id_key" ON "policy_versions"("proposal_id");

-- CreateIndex
CREATE INDEX "approval_requirements_movement_id_id_idx" ON "approval_requirements"("movement_id", "id");

-- AddForeignKey
ALTER TABLE "policy_proposals" ADD CONSTRAINT "policy_proposals_proposed_by_fkey" FOREIGN KEY ("proposed_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_versions" ADD CONSTRAINT "policy_versions_proposal_id_fkey" FOREIGN KEY ("proposal_id") REFERENCES "policy_proposals"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_versions" ADD CONSTRAINT "policy_versions_proposed_by_fkey" FOREIGN KEY ("proposed_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "policy_versions" ADD CONSTRAINT "policy_versions_confirmed_by_fkey" FOREIGN KEY ("confirmed_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval_requirements" ADD CONSTRAINT "approval_requirements_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The role in which a person approved, and why an owner released it alone.
ALTER TABLE "approvals" ADD COLUMN "role" TEXT NOT NULL DEFAULT 'approver', ADD COLUMN "override_reason" TEXT;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "policy_proposals" ADD CONSTRAINT "policy_proposals_rules" CHECK (jsonb_typeof(rules) = 'array' AND jsonb_array_length(rules) <= 20);
ALTER TABLE "policy_versions"
  ADD CONSTRAINT "policy_versions_number" CHECK (version > 0),
  ADD CONSTRAINT "policy_versions_two_people" CHECK (proposed_by <> confirmed_by);
ALTER TABLE "approval_requirements" ADD CONSTRAINT "approval_requirements_needed" CHECK (needed BETWEEN 0 AND 2);
ALTER TABLE "approvals"
  ADD CONSTRAINT "approvals_role" CHECK (role IN ('approver', 'owner')),
  ADD CONSTRAINT "approvals_override" CHECK (override_reason IS NULL OR role = 'owner');

ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_subject";
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_subject" CHECK (subject_kind IN ('movement', 'plan_charge', 'send_switch', 'person', 'invitation', 'policy'));

-- Two approvers or owners decide about a policy, as they do about a person.
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
    AND p.role = ANY(CASE WHEN NEW.subject_kind IN ('send_switch', 'person', 'invitation', 'policy') THEN ARRAY['approver', 'owner'] ELSE ARRAY['clerk', 'approver', 'owner'] END)
  WHERE p.id IS DISTINCT FROM NEW.maker_id;
  IF agreeing < 2 OR denying > 0 OR senior = 0 THEN
    RAISE EXCEPTION 'a request is closed when two people agree and nobody denies it' USING ERRCODE = 'MV031';
  END IF;
  RETURN NEW;
END $$;


CREATE TRIGGER policy_proposals_append_only BEFORE UPDATE OR DELETE ON "policy_proposals" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER policy_versions_append_only BEFORE UPDATE OR DELETE ON "policy_versions" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER approval_requirements_append_only BEFORE UPDATE OR DELETE ON "approval_requirements" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER approvals_append_only BEFORE UPDATE OR DELETE ON "approvals" FOR EACH ROW EXECUTE FUNCTION append_only();

-- An owner proposes; two people, of whom one is an owner, agree in the transaction that makes it the policy.
CREATE FUNCTION policy_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'policy_proposals' THEN
    IF NOT EXISTS (SELECT FROM people p WHERE p.id = NEW.proposed_by AND p.merchant_id = NEW.merchant_id AND p.role = 'owner' AND p.disabled_at IS NULL) THEN
      RAISE EXCEPTION 'an owner proposes a policy' USING ERRCODE = 'MV050';
    END IF;
    NEW.proposed_at := clock_timestamp();
    RETURN NEW;
  END IF;
  IF NOT EXISTS (SELECT FROM policy_proposals o WHERE o.id = NEW.proposal_id AND o.merchant_id = NEW.merchant_id AND o.rules = NEW.rules
      AND o.proposed_by = NEW.proposed_by AND o.based_on = NEW.version - 1)
    OR NEW.version <> 1 + coalesce((SELECT max(v.version) FROM policy_versions v WHERE v.merchant_id = NEW.merchant_id), 0)
    OR NOT second_person_agreed(NEW.merchant_id, 'policy', NEW.proposal_id::text, NULL, ARRAY['adopt']) THEN
    RAISE EXCEPTION 'a policy is what two people agreed on' USING ERRCODE = 'MV051';
  END IF;
  NEW.valid_from := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER policy_proposals_guard BEFORE INSERT ON "policy_proposals" FOR EACH ROW EXECUTE FUNCTION policy_guard();
CREATE TRIGGER policy_versions_guard BEFORE INSERT ON "policy_versions" FOR EACH ROW EXECUTE FUNCTION policy_guard();

-- Who has made a movement: its maker, and the makers of the versions of it that were sent back, were withdrawn or ran out
-- before anything left. None of them approves it.
CREATE FUNCTION movement_makers(movement UUID) RETURNS SETOF UUID LANGUAGE sql STABLE AS $$
  WITH RECURSIVE made AS (
    SELECT m.maker_id, m.retry_of FROM movements m WHERE m.id = movement
    UNION SELECT m.maker_id, m.retry_of FROM movements m JOIN made ON m.id = made.retry_of WHERE m.sends = 0)
  SELECT DISTINCT maker_id FROM made;
$$;

-- An approval is of the content that stands there now, by a person who may give it and has not made it. Role and time are
-- what the database knows, not what the caller says.
CREATE FUNCTION approvals_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  its_role TEXT;
BEGIN
  SELECT p.role INTO its_role FROM people p WHERE p.id = NEW.person_id AND p.merchant_id = NEW.merchant_id AND p.disabled_at IS NULL;
  IF its_role IS NULL OR its_role NOT IN ('approver', 'owner') THEN
    RAISE EXCEPTION 'this person may not approve' USING ERRCODE = 'MV052';
  END IF;
  IF NEW.person_id IN (SELECT movement_makers(NEW.movement_id)) THEN
    RAISE EXCEPTION 'nobody approves what they have made' USING ERRCODE = 'MV053';
  END IF;
  IF NOT EXISTS (SELECT FROM movements m WHERE m.id = NEW.movement_id AND m.merchant_id = NEW.merchant_id
      AND m.state = 'AWAITING_APPROVAL' AND m.content_hash = NEW.content_hash) THEN
    RAISE EXCEPTION 'an approval is of the content that waits for it' USING ERRCODE = 'MV054';
  END IF;
  NEW.role := its_role;
  NEW.created_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER approvals_guard BEFORE INSERT ON "approvals" FOR EACH ROW EXECUTE FUNCTION approvals_guard();

-- Before a movement may be sent, and before every send: enough people, of the roles that were asked for, have approved exactly
-- this content, or an owner other than its makers has released it. What a policy asked for is asked of the same content.
CREATE FUNCTION movements_approved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  asked INT;
  by_owners BOOLEAN;
  other BOOLEAN;
  given INT;
  released BOOLEAN;
BEGIN
  SELECT greatest(NEW.approvals_needed, coalesce(max(r.needed), 0)), coalesce(bool_or(r.owners_only), false),
      coalesce(bool_or(r.content_hash <> NEW.content_hash), false)
    INTO asked, by_owners, other FROM approval_requirements r WHERE r.movement_id = NEW.id;
  IF other THEN RAISE EXCEPTION 'the policy judged another content' USING ERRCODE = 'MV011'; END IF;
  IF asked = 0 THEN RETURN NEW; END IF;
  SELECT count(DISTINCT a.person_id) FILTER (WHERE a.role = 'owner' OR NOT by_owners),
      coalesce(bool_or(a.role = 'owner' AND a.override_reason IS NOT NULL), false)
    INTO given, released FROM approvals a
    WHERE a.movement_id = NEW.id AND a.content_hash = NEW.content_hash AND a.person_id <> NEW.maker_id;
  IF given < asked AND NOT released THEN RAISE EXCEPTION 'not enough approvals of this content' USING ERRCODE = 'MV011'; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER movements_approved BEFORE UPDATE OF state ON "movements" FOR EACH ROW
  WHEN (NEW.state <> OLD.state AND (NEW.state = 'SUBMITTING' OR (OLD.state = 'AWAITING_APPROVAL' AND NEW.state = 'APPROVED')))
  EXECUTE FUNCTION movements_approved();

-- The guard as it was ("cashout", with the names of later migrations), without its count of approvals, which is above.
CREATE OR REPLACE FUNCTION movements_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a movement is never deleted' USING ERRCODE = 'MV001'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'DRAFT' OR NEW.sends <> 0 OR NEW.ever_ambiguous OR NEW.returned <> 'NONE' THEN
      RAISE EXCEPTION 'a movement begins as a clean draft' USING ERRCODE = 'MV001';
    END IF;
    IF NEW.retry_of IS NOT NULL AND NOT EXISTS (
      SELECT FROM movements p WHERE p.id = NEW.retry_of AND p.merchant_id = NEW.merchant_id AND p.alert IS DISTINCT FROM 'contradiction'
        AND (p.state IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED') OR (p.state = 'COMPLETED' AND p.returned = 'CONFIRMED'))
    ) THEN RAISE EXCEPTION 'only a payment that provably did not happen may be paid again' USING ERRCODE = 'MV002'; END IF;
    RETURN NEW;
  END IF;

  IF (NEW.id, NEW.merchant_id, NEW.kind, NEW.ext_id, NEW.maker_id, NEW.created_at, NEW.retry_of)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.kind, OLD.ext_id, OLD.maker_id, OLD.created_at, OLD.retry_of) THEN
    RAISE EXCEPTION 'the identity of a movement never changes' USING ERRCODE = 'MV003';
  END IF;
  IF OLD.state <> 'DRAFT' AND
     (NEW.wallet, NEW.iban, NEW.name, NEW.tax_number, NEW.to_wallet, NEW.found_by, NEW.found_name, NEW.amount_minor, NEW.currency, NEW.payment_type, NEW.description, NEW.phone, NEW.card_payment_id, NEW.invoice_id, NEW.before_minor, NEW.content_hash, NEW.obligation, NEW.approvals_needed)
     IS DISTINCT FROM
     (OLD.wallet, OLD.iban, OLD.name, OLD.tax_number, OLD.to_wallet, OLD.found_by, OLD.found_name, OLD.amount_minor, OLD.currency, OLD.payment_type, OLD.description, OLD.phone, OLD.card_payment_id, OLD.invoice_id, OLD.before_minor, OLD.content_hash, OLD.obligation, OLD.approvals_needed) THEN
    RAISE EXCEPTION 'the content of a submitted movement never changes' USING ERRCODE = 'MV004';
  END IF;
  IF (OLD.ever_ambiguous AND NOT NEW.ever_ambiguous) OR (OLD.duplicate_seen AND NOT NEW.duplicate_seen) OR NEW.sends < OLD.sends THEN
    RAISE EXCEPTION 'what was learned about a movement is never unlearned' USING ERRCODE = 'MV005';
  END IF;
  IF NEW.state <> OLD.state THEN
    IF NOT EXISTS (SELECT FROM movement_steps s WHERE s.from_state = OLD.state AND s.to_state = NEW.state
                   AND (s.taken_by = current_user OR pg_has_role(current_user, s.taken_by, 'MEMBER'))) THEN
      RAISE EXCEPTION 'no step from % to % for %', OLD.state, NEW.state, current_user USING ERRCODE = 'MV006';
    END IF;
    -- Only where nobody answers questions do people say that it was taken.
    IF OLD.state = 'UNKNOWN' AND NEW.state = 'PENDING' AND NEW.kind <> 'cashout' AND NOT pg_has_role(current_user, 'dashboard_worker', 'MEMBER') THEN
      RAISE EXCEPTION 'no step from % to % for %', OLD.state, NEW.state, current_user USING ERRCODE = 'MV006';
    END IF;
    -- Once unclear, an answer to a later send proves nothing about the earlier one.
    IF OLD.state = 'SUBMITTING' AND NEW.state IN ('APPROVED', 'REJECTED') AND NEW.ever_ambiguous THEN
      RAISE EXCEPTION 'an ambiguous movement is settled by a read only' USING ERRCODE = 'MV007';
    END IF;
    IF NEW.state = 'CANCELLED' AND OLD.lease_until > clock_timestamp() THEN
      RAISE EXCEPTION 'a worker holds this movement' USING ERRCODE = 'MV012';
    END IF;
    IF NEW.state = 'SUBMITTING' AND NEW.sends <> OLD.sends + 1 THEN
      RAISE EXCEPTION 'a send is counted when it is claimed' USING ERRCODE = 'MV008';
    END IF;
  ELSIF NEW.sends <> OLD.sends THEN
    RAISE EXCEPTION 'a send is counted when it is claimed' USING ERRCODE = 'MV008';
  END IF;
  IF OLD.returned = 'CONFIRMED' AND NEW.returned <> 'CONFIRMED' THEN
    RAISE EXCEPTION 'a confirmed return stays confirmed' USING ERRCODE = 'MV009';
  END IF;
  -- Only who asks the ledger can have seen it there.
  IF NEW.returned = 'CONFIRMED' AND OLD.returned <> 'CONFIRMED' AND NOT pg_has_role(current_user, 'dashboard_worker', 'MEMBER') THEN
    RAISE EXCEPTION 'only the worker confirms a return' USING ERRCODE = 'MV009';
  END IF;
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END $$;

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['policy_proposals', 'policy_versions', 'approval_requirements'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;
GRANT INSERT ON "policy_proposals", "policy_versions", "approval_requirements" TO dashboard_web;
GRANT USAGE ON SEQUENCE "approval_requirements_id_seq" TO dashboard_web;
-- An approval is never taken back: what is changed is another movement.
REVOKE DELETE ON "approvals" FROM dashboard_web;

-- The queue of what waits for approval.
CREATE INDEX "movements_awaiting" ON "movements" ("merchant_id", "state_since") WHERE state = 'AWAITING_APPROVAL';
