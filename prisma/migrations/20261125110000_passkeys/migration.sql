-- From which amount an approval is signed: part of a policy, changed by the same two people. Null: never.
ALTER TABLE "policy_proposals" ADD COLUMN "step_up" JSONB;
ALTER TABLE "policy_versions" ADD COLUMN "step_up" JSONB;

-- What the policy asked for in that respect: nothing, a passkey or a fresh sign-in, or a passkey.
ALTER TABLE "approval_requirements" ADD COLUMN "step_up" TEXT NOT NULL DEFAULT 'none';

-- What a person is asked to sign. The content itself is not copied: an item is a hash over it.
CREATE TABLE "step_up_challenges" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "nonce" TEXT NOT NULL,
    "policy_version" INTEGER NOT NULL,
    "items" JSONB NOT NULL,
    "asked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "step_up_challenges_pkey" PRIMARY KEY ("id")
);

-- The answer to one challenge. Append-only: an answer counts once.
CREATE TABLE "step_ups" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "challenge_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "passkey_id" UUID,
    "public_key" TEXT,
    "authenticator_data" TEXT,
    "client_data_json" TEXT,
    "signature" TEXT,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "step_ups_pkey" PRIMARY KEY ("id")
);

-- The keys with which people sign. `cose_key` is the public key as the library reads it, `public_key`
-- the same key as SPKI, which every other program reads.
CREATE TABLE "passkeys" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "rp_id" TEXT NOT NULL,
    "cose_key" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" JSONB NOT NULL,
    "label" TEXT NOT NULL,
    "added_with" UUID NOT NULL,
    "added_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6),
    "removed_at" TIMESTAMPTZ(6),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "approvals" ADD COLUMN "step_up_id" UUID;
-- A code that was asked for to sign something signs nobody in, and the other way round.
ALTER TABLE "login_challenges" ADD COLUMN "step_up_challenge_id" UUID;

-- CreateIndex
CREATE INDEX "step_up_challenges_merchant_id_asked_at_idx" ON "step_up_challenges"("merchant_id", "asked_at");

-- CreateIndex
CREATE UNIQUE INDEX "step_ups_challenge_id_key" ON "step_ups"("challenge_id");

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");

-- CreateIndex
CREATE UNIQUE INDEX "passkeys_added_with_key" ON "passkeys"("added_with");

-- CreateIndex
CREATE INDEX "passkeys_merchant_id_person_id_idx" ON "passkeys"("merchant_id", "person_id");

-- AddForeignKey
ALTER TABLE "step_up_challenges" ADD CONSTRAINT "step_up_challenges_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "step_ups" ADD CONSTRAINT "step_ups_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "step_ups" ADD CONSTRAINT "step_ups_challenge_id_fkey" FOREIGN KEY ("challenge_id") REFERENCES "step_up_challenges"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "step_ups" ADD CONSTRAINT "step_ups_passkey_id_fkey" FOREIGN KEY ("passkey_id") REFERENCES "passkeys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_added_with_fkey" FOREIGN KEY ("added_with") REFERENCES "step_ups"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_step_up_id_fkey" FOREIGN KEY ("step_up_id") REFERENCES "step_ups"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "approval_requirements" ADD CONSTRAINT "approval_requirements_step_up" CHECK (step_up IN ('none', 'any', 'passkey'));
ALTER TABLE "step_up_challenges"
  ADD CONSTRAINT "step_up_challenges_purpose" CHECK (purpose IN ('approve', 'override', 'add_key')),
  ADD CONSTRAINT "step_up_challenges_items" CHECK (jsonb_typeof(items) = 'array' AND jsonb_array_length(items) <= 50);
ALTER TABLE "step_ups"
  ADD CONSTRAINT "step_ups_method" CHECK (CASE method
    WHEN 'passkey' THEN num_nulls(passkey_id, public_key, authenticator_data, client_data_json, signature) = 0
    WHEN 'sign_in' THEN num_nonnulls(passkey_id, public_key, authenticator_data, client_data_json, signature) = 0
    ELSE false END);
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_counter" CHECK (counter >= 0);

CREATE TRIGGER step_ups_append_only BEFORE UPDATE OR DELETE ON "step_ups" FOR EACH ROW EXECUTE FUNCTION append_only();

-- A challenge lives for three minutes, belongs to the person who was asked, and is answered once (the unique index).
CREATE FUNCTION step_up_challenges_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN RAISE EXCEPTION 'a challenge never changes' USING ERRCODE = 'MV060'; END IF;
  NEW.asked_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER step_up_challenges_guard BEFORE INSERT OR UPDATE ON "step_up_challenges" FOR EACH ROW EXECUTE FUNCTION step_up_challenges_guard();

CREATE FUNCTION step_ups_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM step_up_challenges c WHERE c.id = NEW.challenge_id AND c.merchant_id = NEW.merchant_id
      AND c.person_id = NEW.person_id AND c.asked_at > clock_timestamp() - interval '3 minutes') THEN
    RAISE EXCEPTION 'a challenge is answered by the person who was asked, within three minutes' USING ERRCODE = 'MV061';
  END IF;
  IF NEW.method = 'passkey' AND NOT EXISTS (SELECT FROM passkeys k WHERE k.id = NEW.passkey_id AND k.merchant_id = NEW.merchant_id
      AND k.person_id = NEW.person_id AND k.public_key = NEW.public_key AND k.removed_at IS NULL) THEN
    RAISE EXCEPTION 'a person signs with a key of their own' USING ERRCODE = 'MV061';
  END IF;
  NEW.at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER step_ups_guard BEFORE INSERT ON "step_ups" FOR EACH ROW EXECUTE FUNCTION step_ups_guard();

-- The first key is added after a fresh sign-in, every further one is allowed by a key that the person has. The last key
-- goes only when two other people say that it is lost.
CREATE FUNCTION passkeys_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_keys BOOLEAN;
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a passkey is never deleted' USING ERRCODE = 'MV062'; END IF;
  PERFORM FROM people WHERE id = NEW.person_id FOR NO KEY UPDATE;
  SELECT EXISTS (SELECT FROM passkeys k WHERE k.person_id = NEW.person_id AND k.removed_at IS NULL AND k.id <> NEW.id) INTO has_keys;
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM step_ups s JOIN step_up_challenges c ON c.id = s.challenge_id
        WHERE s.id = NEW.added_with AND s.merchant_id = NEW.merchant_id AND s.person_id = NEW.person_id AND c.purpose = 'add_key'
          AND s.at > clock_timestamp() - interval '10 minutes' AND (s.method = 'passkey' OR NOT has_keys)) THEN
      RAISE EXCEPTION 'a key is added with a key, and the first one with a fresh sign-in' USING ERRCODE = 'MV062';
    END IF;
    NEW.added_at := clock_timestamp();
    NEW.removed_at := NULL;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.merchant_id, NEW.person_id, NEW.credential_id, NEW.rp_id, NEW.cose_key, NEW.public_key, NEW.added_with, NEW.added_at)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.person_id, OLD.credential_id, OLD.rp_id, OLD.cose_key, OLD.public_key, OLD.added_with, OLD.added_at)
     OR NEW.counter < OLD.counter OR OLD.removed_at IS NOT NULL THEN
    RAISE EXCEPTION 'a passkey is used or removed, and never changed' USING ERRCODE = 'MV062';
  END IF;
  IF NEW.removed_at IS NOT NULL AND NOT has_keys
     AND NOT second_person_agreed(NEW.merchant_id, 'person', 'keys:' || NEW.person_id::text, NEW.person_id, ARRAY['passkeys_lost']) THEN
    RAISE EXCEPTION 'the last key is removed by two other people' USING ERRCODE = 'MV063';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER passkeys_guard BEFORE INSERT OR UPDATE OR DELETE ON "passkeys" FOR EACH ROW EXECUTE FUNCTION passkeys_guard();

-- What signs an approval was made by the same person, to approve or to override.
CREATE FUNCTION approvals_signed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.step_up_id IS NOT NULL AND NOT EXISTS (SELECT FROM step_ups s JOIN step_up_challenges c ON c.id = s.challenge_id
      WHERE s.id = NEW.step_up_id AND s.merchant_id = NEW.merchant_id AND s.person_id = NEW.person_id
        AND c.purpose = CASE WHEN NEW.override_reason IS NULL THEN 'approve' ELSE 'override' END) THEN
    RAISE EXCEPTION 'an approval is signed by the person who gives it' USING ERRCODE = 'MV064';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approvals_signed BEFORE INSERT ON "approvals" FOR EACH ROW EXECUTE FUNCTION approvals_signed();

-- Where a signature was asked for, an approval without one does not count. Whether it is a signature of this content is
-- what the worker computes; here it has to exist, by the way that was asked for.
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
  SELECT count(DISTINCT a.person_id) FILTER (WHERE a.role = 'owner' OR NOT by_owners),
      coalesce(bool_or(a.role = 'owner' AND a.override_reason IS NOT NULL), false)
    INTO given, released FROM approvals a LEFT JOIN step_ups s ON s.id = a.step_up_id
    WHERE a.movement_id = NEW.id AND a.content_hash = NEW.content_hash AND a.person_id <> NEW.maker_id
      AND (methods IS NULL OR s.method = ANY(methods));
  IF given < asked AND NOT released THEN RAISE EXCEPTION 'not enough approvals of this content' USING ERRCODE = 'MV011'; END IF;
  RETURN NEW;
END $$;

-- The policy that is stored is, in this respect too, the one that was proposed.
CREATE FUNCTION policy_step_up_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM policy_proposals o WHERE o.id = NEW.proposal_id AND o.step_up IS NOT DISTINCT FROM NEW.step_up) THEN
    RAISE EXCEPTION 'a policy is what two people agreed on' USING ERRCODE = 'MV051';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER policy_versions_step_up BEFORE INSERT ON "policy_versions" FOR EACH ROW EXECUTE FUNCTION policy_step_up_guard();

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['step_up_challenges', 'step_ups', 'passkeys'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;
GRANT INSERT ON "step_up_challenges", "step_ups", "passkeys" TO dashboard_web;
GRANT UPDATE (counter, last_used_at, removed_at) ON "passkeys" TO dashboard_web;
-- What was asked and never answered.
GRANT DELETE ON "step_up_challenges" TO dashboard_worker;
