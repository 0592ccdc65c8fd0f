-- Programs of the merchant prepare payouts and batches with an API key. A key belongs to the person who made it, who is the maker of
-- everything that it prepares. It works once a second person has confirmed it, and never again once it is revoked. Only a hash of
-- the key is stored.
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "rights" JSONB NOT NULL,
    "wallet" TEXT,
    "reason" TEXT NOT NULL,
    "asked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "confirmed_at" TIMESTAMPTZ(6),
    "revoked_at" TIMESTAMPTZ(6),
    "revoked_by" UUID,
    "last_used_at" TIMESTAMPTZ(6),
    "last_used_ip" TEXT,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- What an Idempotency-Key stands for: one body, and the payout or batch that it became. Kept for ever: a repetition after months
-- would otherwise pay twice.
CREATE TABLE "api_intents" (
    "merchant_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "api_key_id" UUID NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "subject_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answer" JSONB,
    "answered_at" TIMESTAMPTZ(6),

    CONSTRAINT "api_intents_pkey" PRIMARY KEY ("merchant_id","kind","idempotency_key")
);

-- The requests of keys that exist, for the page of developers.
CREATE TABLE "api_requests" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "code" TEXT,
    "idempotency_key" TEXT,
    "took_ms" INTEGER NOT NULL,
    "ip" TEXT,

    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_merchant_id_asked_at_idx" ON "api_keys"("merchant_id", "asked_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "api_intents_subject_id_key" ON "api_intents"("subject_id");

-- CreateIndex
CREATE INDEX "api_requests_merchant_id_at_id_idx" ON "api_requests"("merchant_id", "at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_revoked_by_fkey" FOREIGN KEY ("revoked_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_intents" ADD CONSTRAINT "api_intents_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "api_keys"
  ADD CONSTRAINT "api_keys_hash_length" CHECK (length(hash) = 32),
  ADD CONSTRAINT "api_keys_rights" CHECK (jsonb_typeof(rights) = 'array' AND jsonb_array_length(rights) > 0
    AND rights <@ '["payouts.prepare", "payouts.read", "batches.prepare", "batches.read"]'::jsonb),
  ADD CONSTRAINT "api_keys_revoked" CHECK ((revoked_at IS NULL) = (revoked_by IS NULL));
ALTER TABLE "api_intents"
  ADD CONSTRAINT "api_intents_kind" CHECK (kind IN ('payout', 'batch')),
  ADD CONSTRAINT "api_intents_body" CHECK (length(body_hash) = 32),
  ADD CONSTRAINT "api_intents_answer" CHECK ((answer IS NULL) = (answered_at IS NULL));

ALTER TABLE "second_person_requests" DROP CONSTRAINT "second_person_requests_subject";
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_subject" CHECK (subject_kind IN ('movement', 'plan_charge', 'send_switch', 'person', 'invitation', 'policy', 'deputy', 'api_key'));

-- As it was ("deputies"): two approvers or owners decide about a key, too.
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
    AND p.role = ANY(CASE WHEN NEW.subject_kind IN ('send_switch', 'person', 'invitation', 'policy', 'deputy', 'api_key') THEN ARRAY['approver', 'owner'] ELSE ARRAY['clerk', 'approver', 'owner'] END)
  WHERE p.id IS DISTINCT FROM NEW.maker_id;
  IF agreeing < 2 OR denying > 0 OR senior = 0 THEN
    RAISE EXCEPTION 'a request is closed when two people agree and nobody denies it' USING ERRCODE = 'MV031';
  END IF;
  RETURN NEW;
END $$;

-- What a key may do never changes. An owner makes it; a second person confirms it unless there has never been one; it is revoked
-- once, and then it works no more.
CREATE FUNCTION api_keys_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'an API key is never deleted' USING ERRCODE = 'MV080'; END IF;
  IF TG_OP = 'INSERT' THEN
    NEW.asked_at := clock_timestamp();
    IF NEW.revoked_at IS NOT NULL OR NEW.last_used_at IS NOT NULL THEN RAISE EXCEPTION 'an API key begins unused' USING ERRCODE = 'MV080'; END IF;
    IF NOT EXISTS (SELECT FROM people p WHERE p.id = NEW.person_id AND p.merchant_id = NEW.merchant_id AND p.disabled_at IS NULL AND p.role = 'owner') THEN
      RAISE EXCEPTION 'an owner makes an API key' USING ERRCODE = 'MV080';
    END IF;
    IF NEW.confirmed_at IS NULL THEN RETURN NEW; END IF;
    IF NOT people_alone(NEW.merchant_id) THEN RAISE EXCEPTION 'an API key begins without a second person' USING ERRCODE = 'MV081'; END IF;
    NEW.confirmed_at := NEW.asked_at;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.merchant_id, NEW.person_id, NEW.name, NEW.prefix, NEW.hash, NEW.rights, NEW.wallet, NEW.reason, NEW.asked_at)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.person_id, OLD.name, OLD.prefix, OLD.hash, OLD.rights, OLD.wallet, OLD.reason, OLD.asked_at)
     OR (OLD.confirmed_at IS NOT NULL AND NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at) OR OLD.revoked_at IS NOT NULL THEN
    RAISE EXCEPTION 'an API key is confirmed, used and revoked, and never changed' USING ERRCODE = 'MV080';
  END IF;
  IF NEW.revoked_at IS NOT NULL THEN NEW.revoked_at := clock_timestamp(); END IF;
  IF NEW.confirmed_at IS NOT NULL AND OLD.confirmed_at IS NULL THEN
    NEW.confirmed_at := clock_timestamp();
    IF NEW.revoked_at IS NOT NULL OR NOT second_person_agreed(NEW.merchant_id, 'api_key', NEW.id::text, NULL, ARRAY['use']) THEN
      RAISE EXCEPTION 'an API key is confirmed by a second person' USING ERRCODE = 'MV081';
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_guard BEFORE INSERT OR UPDATE OR DELETE ON "api_keys" FOR EACH ROW EXECUTE FUNCTION api_keys_guard();

-- An Idempotency-Key stands for one body for ever. Another key may go on with it while it has no answer: the first one may have
-- been revoked in between.
CREATE FUNCTION api_intents_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'an idempotency key is never forgotten' USING ERRCODE = 'MV082'; END IF;
  IF TG_OP = 'INSERT' THEN NEW.created_at := clock_timestamp(); RETURN NEW; END IF;
  IF (NEW.merchant_id, NEW.kind, NEW.idempotency_key, NEW.body_hash, NEW.subject_id, NEW.created_at)
     IS DISTINCT FROM (OLD.merchant_id, OLD.kind, OLD.idempotency_key, OLD.body_hash, OLD.subject_id, OLD.created_at) OR OLD.answer IS NOT NULL THEN
    RAISE EXCEPTION 'an idempotency key stands for one body and one answer' USING ERRCODE = 'MV082';
  END IF;
  IF NEW.answer IS NOT NULL THEN NEW.answered_at := clock_timestamp(); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_intents_guard BEFORE INSERT OR UPDATE OR DELETE ON "api_intents" FOR EACH ROW EXECUTE FUNCTION api_intents_guard();

-- What a key prepares has the key's person as its maker and leaves from the key's wallet. The key's row is locked: one that is being
-- revoked is revoked first, or after this.
CREATE FUNCTION prepared_by_key(subject UUID, needed TEXT, maker UUID, paying TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  its_key api_keys;
BEGIN
  SELECT k.* INTO its_key FROM api_intents i JOIN api_keys k ON k.id = i.api_key_id WHERE i.subject_id = subject FOR SHARE OF k;
  IF NOT FOUND THEN RETURN; END IF;
  IF its_key.revoked_at IS NOT NULL OR its_key.confirmed_at IS NULL OR its_key.person_id <> maker OR NOT its_key.rights ? needed
     OR (its_key.wallet IS NOT NULL AND its_key.wallet IS DISTINCT FROM paying) THEN
    RAISE EXCEPTION 'this API key may not prepare this' USING ERRCODE = 'MV083';
  END IF;
END $$;
CREATE FUNCTION movements_by_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM prepared_by_key(NEW.id, 'payouts.prepare', NEW.maker_id, NEW.wallet);
  RETURN NEW;
END $$;
CREATE TRIGGER movements_by_keys BEFORE INSERT ON "movements" FOR EACH ROW EXECUTE FUNCTION movements_by_keys();
CREATE FUNCTION batches_by_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM prepared_by_key(NEW.id, 'batches.prepare', NEW.maker_id, NEW.wallet);
  RETURN NEW;
END $$;
CREATE TRIGGER batches_by_keys BEFORE INSERT ON "batches" FOR EACH ROW EXECUTE FUNCTION batches_by_keys();

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['api_keys', 'api_intents', 'api_requests'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
    EXECUTE format('GRANT INSERT ON %I TO dashboard_web', t);
  END LOOP;
END $$;
GRANT UPDATE (confirmed_at, revoked_at, revoked_by, last_used_at, last_used_ip) ON "api_keys" TO dashboard_web;
GRANT UPDATE (api_key_id, answer, answered_at) ON "api_intents" TO dashboard_web;
GRANT DELETE ON "api_requests" TO dashboard_worker;
