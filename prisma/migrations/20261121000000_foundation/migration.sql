-- CreateTable
CREATE TABLE "merchants" (
    "id" UUID NOT NULL,
    "key_fingerprint" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merchants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "people" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "provider_user_id" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "disabled_at" TIMESTAMPTZ(6),

    CONSTRAINT "people_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "provider_sealed" BYTEA NOT NULL,
    "ip" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "login_challenges" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "password_sealed" BYTEA NOT NULL,
    "provider_user_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "resends" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(6) NOT NULL,
    "consumed_at" TIMESTAMPTZ(6),

    CONSTRAINT "login_challenges_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "merchant_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(6) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("merchant_id","key","window_start")
);

-- CreateTable
CREATE TABLE "movements" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "rail" TEXT NOT NULL,
    "ext_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "refund" TEXT NOT NULL DEFAULT 'NONE',
    "attention" TEXT,
    "obligation" TEXT,
    "retry_of" UUID,
    "wallet" TEXT NOT NULL,
    "iban" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "tax_number" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "payment_type" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "overrides" JSONB NOT NULL DEFAULT '[]',
    "override_reason" TEXT,
    "maker_id" UUID NOT NULL,
    "maker_ip" TEXT,
    "approvals_needed" INTEGER NOT NULL DEFAULT 0,
    "ever_ambiguous" BOOLEAN NOT NULL DEFAULT false,
    "duplicate_seen" BOOLEAN NOT NULL DEFAULT false,
    "refund_hinted" BOOLEAN NOT NULL DEFAULT false,
    "sends" INTEGER NOT NULL DEFAULT 0,
    "iban_waits" INTEGER NOT NULL DEFAULT 0,
    "not_sent_tries" INTEGER NOT NULL DEFAULT 0,
    "not_found_reads" INTEGER NOT NULL DEFAULT 0,
    "last_send_at" TIMESTAMPTZ(6),
    "last_read_at" TIMESTAMPTZ(6),
    "last_hint_at" TIMESTAMPTZ(6),
    "watch_since" TIMESTAMPTZ(6),
    "state_since" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "accepted_at" TIMESTAMPTZ(6),
    "ended_at" TIMESTAMPTZ(6),
    "refund_at" TIMESTAMPTZ(6),
    "request_id" TEXT,
    "transaction_id" TEXT,
    "fee_minor" BIGINT,
    "reason_code" TEXT,
    "reason_text" TEXT,
    "ledger_seen_at" TIMESTAMPTZ(6),
    "next_at" TIMESTAMPTZ(6),
    "lease_until" TIMESTAMPTZ(6),
    "lease_token" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "movements_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "approvals" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "movement_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "content_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "approvals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "movement_id" UUID NOT NULL,
    "n" INTEGER NOT NULL,
    "body_hash" TEXT NOT NULL,
    "lease_token" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "evidence" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "movement_id" UUID NOT NULL,
    "witness" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "detail" JSONB NOT NULL,
    "raw" TEXT,
    "state_before" TEXT NOT NULL,
    "state_after" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "evidence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notices" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "channel" TEXT NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "body" TEXT NOT NULL,
    "seen" INTEGER NOT NULL DEFAULT 1,
    "first_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ext_id" TEXT,
    "hint" TEXT,
    "effect" TEXT,
    "movement_id" UUID,
    "handled_at" TIMESTAMPTZ(6),

    CONSTRAINT "notices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "iban_gates" (
    "merchant_id" UUID NOT NULL,
    "iban" TEXT NOT NULL,
    "last_send_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "iban_gates_pkey" PRIMARY KEY ("merchant_id","iban")
);

-- CreateTable
CREATE TABLE "send_switches" (
    "merchant_id" UUID NOT NULL,
    "rail" TEXT NOT NULL,
    "off" BOOLEAN NOT NULL,
    "reason" TEXT,
    "changed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "send_switches_pkey" PRIMARY KEY ("merchant_id","rail")
);

-- CreateTable
CREATE TABLE "receipts" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "movement_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "format" TEXT,
    "bytes" BYTEA,
    "sha256" TEXT,
    "problem" TEXT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(6),
    "fetched_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "receipts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "wallet_snapshots" (
    "merchant_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "record" JSONB NOT NULL,
    "fetched_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "wallet_snapshots_pkey" PRIMARY KEY ("merchant_id","number")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "merchant_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "body" TEXT NOT NULL,
    "prev_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT,
    "action" TEXT,
    "subject" TEXT,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("merchant_id","seq")
);

-- CreateTable
CREATE TABLE "audit_heads" (
    "merchant_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_heads_pkey" PRIMARY KEY ("merchant_id")
);

-- CreateTable
CREATE TABLE "worker_heartbeats" (
    "merchant_id" UUID NOT NULL,
    "worker" TEXT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "provider" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "worker_heartbeats_pkey" PRIMARY KEY ("merchant_id","worker")
);

-- CreateIndex
CREATE UNIQUE INDEX "merchants_key_fingerprint_key" ON "merchants"("key_fingerprint");

-- CreateIndex
CREATE UNIQUE INDEX "people_merchant_id_email_key" ON "people"("merchant_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions"("token_hash");

-- CreateIndex
CREATE INDEX "sessions_merchant_id_person_id_idx" ON "sessions"("merchant_id", "person_id");

-- CreateIndex
CREATE UNIQUE INDEX "login_challenges_secret_hash_key" ON "login_challenges"("secret_hash");

-- CreateIndex
CREATE INDEX "movements_merchant_id_next_at_idx" ON "movements"("merchant_id", "next_at");

-- CreateIndex
CREATE INDEX "movements_merchant_id_rail_created_at_id_idx" ON "movements"("merchant_id", "rail", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "movements_merchant_id_iban_created_at_idx" ON "movements"("merchant_id", "iban", "created_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "movements_merchant_id_ext_id_key" ON "movements"("merchant_id", "ext_id");

-- CreateIndex
CREATE UNIQUE INDEX "approvals_movement_id_person_id_key" ON "approvals"("movement_id", "person_id");

-- CreateIndex
CREATE UNIQUE INDEX "attempts_movement_id_n_key" ON "attempts"("movement_id", "n");

-- CreateIndex
CREATE INDEX "evidence_movement_id_id_idx" ON "evidence"("movement_id", "id");

-- CreateIndex
CREATE INDEX "notices_merchant_id_first_at_idx" ON "notices"("merchant_id", "first_at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "notices_merchant_id_channel_body_hash_key" ON "notices"("merchant_id", "channel", "body_hash");

-- CreateIndex
CREATE UNIQUE INDEX "receipts_movement_id_key" ON "receipts"("movement_id");

-- CreateIndex
CREATE INDEX "receipts_merchant_id_created_at_idx" ON "receipts"("merchant_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_merchant_id_subject_idx" ON "audit_entries"("merchant_id", "subject");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "movements" ADD CONSTRAINT "movements_maker_id_fkey" FOREIGN KEY ("maker_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "movements" ADD CONSTRAINT "movements_retry_of_fkey" FOREIGN KEY ("retry_of") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notices" ADD CONSTRAINT "notices_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "receipts" ADD CONSTRAINT "receipts_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "audit_entries" DROP COLUMN "actor", DROP COLUMN "action", DROP COLUMN "subject";
ALTER TABLE "audit_entries"
  ADD COLUMN "actor" TEXT GENERATED ALWAYS AS ((body::jsonb) ->> 'actor') STORED,
  ADD COLUMN "action" TEXT GENERATED ALWAYS AS ((body::jsonb) ->> 'action') STORED,
  ADD COLUMN "subject" TEXT GENERATED ALWAYS AS ((body::jsonb) ->> 'subject') STORED;
CREATE INDEX "audit_entries_merchant_id_subject_idx" ON "audit_entries" ("merchant_id", "subject");

-- Closed vocabularies and amounts.
ALTER TABLE "people" ADD CONSTRAINT "people_role" CHECK (role IN ('clerk', 'approver', 'owner', 'support', 'auditor'));
ALTER TABLE "movements"
  ADD CONSTRAINT "movements_amount_positive" CHECK (amount_minor > 0),
  ADD CONSTRAINT "movements_refund" CHECK (refund IN ('NONE', 'REPORTED', 'CONFIRMED')),
  ADD CONSTRAINT "movements_refund_needs_completed" CHECK (refund = 'NONE' OR state = 'COMPLETED');

-- One live intent for an obligation, one live re-payment of a parent.
CREATE UNIQUE INDEX "movements_one_live_obligation" ON "movements" ("merchant_id", "obligation")
  WHERE obligation IS NOT NULL AND state NOT IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED') AND NOT (state = 'COMPLETED' AND refund = 'CONFIRMED');
CREATE UNIQUE INDEX "movements_one_live_retry" ON "movements" ("retry_of")
  WHERE retry_of IS NOT NULL AND state NOT IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED') AND NOT (state = 'COMPLETED' AND refund = 'CONFIRMED');
CREATE INDEX "movements_due" ON "movements" ("merchant_id", "next_at") WHERE next_at IS NOT NULL;

-- Two roles, neither owns anything nor bypasses row-level security. The web writes intents and decisions of people; only
-- the worker moves what is, or may be, on the wire.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'dashboard_web') THEN CREATE ROLE dashboard_web NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'dashboard_worker') THEN CREATE ROLE dashboard_worker NOLOGIN; END IF;
  EXECUTE format('GRANT dashboard_web, dashboard_worker TO %I', current_user);
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO dashboard_web, dashboard_worker', current_schema());
END $$;

-- The legal steps of money-movement 2.4, and who may take them. Anything else raises.
CREATE TABLE "movement_steps" (
  "from_state" TEXT NOT NULL,
  "to_state" TEXT NOT NULL,
  "taken_by" TEXT NOT NULL CHECK (taken_by IN ('dashboard_web', 'dashboard_worker')),
  PRIMARY KEY ("from_state", "to_state", "taken_by")
);
INSERT INTO "movement_steps" VALUES
  ('DRAFT', 'AWAITING_APPROVAL', 'dashboard_web'),
  ('DRAFT', 'CANCELLED', 'dashboard_web'),
  ('AWAITING_APPROVAL', 'DRAFT', 'dashboard_web'),
  ('AWAITING_APPROVAL', 'APPROVED', 'dashboard_web'),
  ('AWAITING_APPROVAL', 'CANCELLED', 'dashboard_web'),
  ('AWAITING_APPROVAL', 'EXPIRED', 'dashboard_worker'),
  ('APPROVED', 'CANCELLED', 'dashboard_web'),
  ('APPROVED', 'SUBMITTING', 'dashboard_worker'),
  ('SUBMITTING', 'APPROVED', 'dashboard_worker'),
  ('SUBMITTING', 'PENDING', 'dashboard_worker'),
  ('SUBMITTING', 'REJECTED', 'dashboard_worker'),
  ('SUBMITTING', 'UNKNOWN', 'dashboard_worker'),
  ('UNKNOWN', 'SUBMITTING', 'dashboard_worker'),
  ('UNKNOWN', 'PENDING', 'dashboard_worker'),
  ('UNKNOWN', 'MANUAL_REVIEW', 'dashboard_worker'),
  ('UNKNOWN', 'COMPLETED', 'dashboard_worker'),
  ('UNKNOWN', 'REJECTED', 'dashboard_worker'),
  ('UNKNOWN', 'FAILED', 'dashboard_worker'),
  ('UNKNOWN', 'FAILED', 'dashboard_web'),
  ('PENDING', 'MANUAL_REVIEW', 'dashboard_worker'),
  ('PENDING', 'COMPLETED', 'dashboard_worker'),
  ('PENDING', 'REJECTED', 'dashboard_worker'),
  ('PENDING', 'FAILED', 'dashboard_worker'),
  ('MANUAL_REVIEW', 'COMPLETED', 'dashboard_worker'),
  ('MANUAL_REVIEW', 'REJECTED', 'dashboard_worker'),
  ('MANUAL_REVIEW', 'FAILED', 'dashboard_worker');

CREATE FUNCTION movements_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a movement is never deleted' USING ERRCODE = 'MV001'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'DRAFT' OR NEW.sends <> 0 OR NEW.ever_ambiguous OR NEW.refund <> 'NONE' THEN
      RAISE EXCEPTION 'a movement begins as a clean draft' USING ERRCODE = 'MV001';
    END IF;
    IF NEW.retry_of IS NOT NULL AND NOT EXISTS (
      SELECT FROM movements p WHERE p.id = NEW.retry_of AND p.merchant_id = NEW.merchant_id AND p.attention IS DISTINCT FROM 'contradiction'
        AND (p.state IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED') OR (p.state = 'COMPLETED' AND p.refund = 'CONFIRMED'))
    ) THEN RAISE EXCEPTION 'only a payment that provably did not happen may be paid again' USING ERRCODE = 'MV002'; END IF;
    RETURN NEW;
  END IF;

  IF (NEW.id, NEW.merchant_id, NEW.rail, NEW.ext_id, NEW.maker_id, NEW.created_at, NEW.retry_of)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.rail, OLD.ext_id, OLD.maker_id, OLD.created_at, OLD.retry_of) THEN
    RAISE EXCEPTION 'the identity of a movement never changes' USING ERRCODE = 'MV003';
  END IF;
  IF OLD.state <> 'DRAFT' AND
     (NEW.wallet, NEW.iban, NEW.name, NEW.tax_number, NEW.amount_minor, NEW.currency, NEW.payment_type, NEW.description, NEW.content_hash, NEW.obligation, NEW.approvals_needed)
     IS DISTINCT FROM
     (OLD.wallet, OLD.iban, OLD.name, OLD.tax_number, OLD.amount_minor, OLD.currency, OLD.payment_type, OLD.description, OLD.content_hash, OLD.obligation, OLD.approvals_needed) THEN
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
    -- Once unclear, an answer to a later send proves nothing about the earlier one.
    IF OLD.state = 'SUBMITTING' AND NEW.state IN ('APPROVED', 'REJECTED') AND NEW.ever_ambiguous THEN
      RAISE EXCEPTION 'an ambiguous movement is settled by a read only' USING ERRCODE = 'MV007';
    END IF;
    IF NEW.state = 'SUBMITTING' AND NEW.sends <> OLD.sends + 1 THEN
      RAISE EXCEPTION 'a send is counted when it is claimed' USING ERRCODE = 'MV008';
    END IF;
  ELSIF NEW.sends <> OLD.sends THEN
    RAISE EXCEPTION 'a send is counted when it is claimed' USING ERRCODE = 'MV008';
  END IF;
  IF OLD.refund = 'CONFIRMED' AND NEW.refund <> 'CONFIRMED' THEN
    RAISE EXCEPTION 'a confirmed refund stays confirmed' USING ERRCODE = 'MV009';
  END IF;
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER movements_guard BEFORE INSERT OR UPDATE OR DELETE ON "movements" FOR EACH ROW EXECUTE FUNCTION movements_guard();

CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'MV010';
END $$;
CREATE TRIGGER attempts_append_only BEFORE UPDATE OR DELETE ON "attempts" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER evidence_append_only BEFORE UPDATE OR DELETE ON "evidence" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON "audit_entries" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON "audit_entries" FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- One link of the chain: the head row is the lock that puts entries in one order per merchant.
CREATE FUNCTION audit_append(p_merchant UUID, p_actor TEXT, p_action TEXT, p_subject TEXT, p_detail JSONB) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  head audit_heads%ROWTYPE;
  v_at TIMESTAMPTZ;
  v_body TEXT;
  v_hash BYTEA;
BEGIN
  INSERT INTO audit_heads VALUES (p_merchant, 0, sha256('')) ON CONFLICT DO NOTHING;
  SELECT * INTO head FROM audit_heads WHERE merchant_id = p_merchant FOR UPDATE;
  v_at := clock_timestamp();
  v_body := jsonb_build_object('merchant', p_merchant, 'seq', head.seq + 1, 'at', to_char(v_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'actor', p_actor, 'action', p_action, 'subject', p_subject, 'detail', p_detail)::text;
  v_hash := sha256(head.hash || convert_to(v_body, 'UTF8'));
  INSERT INTO audit_entries (merchant_id, seq, body, prev_hash, hash, at) VALUES (p_merchant, head.seq + 1, v_body, head.hash, v_hash, v_at);
  UPDATE audit_heads SET seq = head.seq + 1, hash = v_hash WHERE merchant_id = p_merchant;
  RETURN head.seq + 1;
END $$;

-- The wall between merchants: no row is seen or written without naming its merchant for this transaction.
DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['merchants', 'people', 'sessions', 'login_challenges', 'rate_limits', 'movements', 'approvals', 'attempts', 'evidence',
    'notices', 'iban_gates', 'send_switches', 'receipts', 'wallet_snapshots', 'audit_entries', 'audit_heads', 'worker_heartbeats'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (%I = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)',
      t, CASE t WHEN 'merchants' THEN 'id' ELSE 'merchant_id' END);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;
GRANT SELECT ON "movement_steps" TO dashboard_web, dashboard_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO dashboard_web, dashboard_worker;

-- Both append to what is append-only and keep the audit head.
GRANT INSERT ON "evidence", "audit_entries", "audit_heads" TO dashboard_web, dashboard_worker;
GRANT UPDATE ON "audit_heads" TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE, DELETE ON "rate_limits", "wallet_snapshots" TO dashboard_web, dashboard_worker;
-- The web: people, sign-in, intents, decisions, notices.
GRANT INSERT, UPDATE ON "merchants", "people", "sessions", "login_challenges", "notices" TO dashboard_web;
GRANT INSERT, UPDATE ON "movements" TO dashboard_web;
GRANT INSERT, DELETE ON "approvals" TO dashboard_web;
GRANT INSERT, UPDATE ON "send_switches", "receipts" TO dashboard_web;
-- The worker: movements on the wire, receipts, its heartbeat. It creates no people, no intents and no approvals.
GRANT UPDATE ON "movements" TO dashboard_worker;
GRANT INSERT ON "attempts" TO dashboard_worker;
GRANT INSERT, UPDATE ON "iban_gates", "receipts", "worker_heartbeats" TO dashboard_worker;
GRANT DELETE ON "worker_heartbeats" TO dashboard_worker;
