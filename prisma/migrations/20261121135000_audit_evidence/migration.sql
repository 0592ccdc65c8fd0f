-- The chain keeps commitments to personal values, the values lie beside it and can be erased; rows come in through one function
-- only; a day's head is kept under a key that this database does not hold.

-- CreateTable
CREATE TABLE "audit_personal" (
    "merchant_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "field" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "salt" BYTEA NOT NULL,

    CONSTRAINT "audit_personal_pkey" PRIMARY KEY ("merchant_id","seq","field")
);

-- CreateTable
CREATE TABLE "audit_checkpoints" (
    "merchant_id" UUID NOT NULL,
    "day" TEXT NOT NULL,
    "line" TEXT NOT NULL,

    CONSTRAINT "audit_checkpoints_pkey" PRIMARY KEY ("merchant_id","day")
);

-- CreateTable
CREATE TABLE "audit_checks" (
    "merchant_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "entries" BIGINT NOT NULL,
    "broken_seq" BIGINT,
    "broken_why" TEXT,

    CONSTRAINT "audit_checks_pkey" PRIMARY KEY ("merchant_id")
);

CREATE TRIGGER audit_checkpoints_append_only BEFORE UPDATE OR DELETE ON "audit_checkpoints" FOR EACH ROW EXECUTE FUNCTION append_only();
CREATE TRIGGER audit_checkpoints_no_truncate BEFORE TRUNCATE ON "audit_checkpoints" FOR EACH STATEMENT EXECUTE FUNCTION append_only();

-- One link of the chain, as before, and its personal values: the link says SHA-256(salt ‖ field=value) of each, the values
-- and their salts lie beside it. It runs with the owner's rights, so that nobody else can write to the chain but through it.
DROP FUNCTION audit_append(UUID, TEXT, TEXT, TEXT, JSONB);
CREATE FUNCTION audit_append(p_merchant UUID, p_actor TEXT, p_action TEXT, p_subject TEXT, p_detail JSONB, p_personal JSONB DEFAULT '{}')
RETURNS BIGINT LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  head audit_heads%ROWTYPE;
  v_at TIMESTAMPTZ;
  v_commitments JSONB;
  v_body TEXT;
  v_hash BYTEA;
BEGIN
  IF p_merchant::text IS DISTINCT FROM current_setting('app.merchant_id', true) THEN
    RAISE EXCEPTION 'the audit chain of another merchant' USING ERRCODE = '42501';
  END IF;
  SELECT * INTO head FROM audit_heads WHERE merchant_id = p_merchant FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO audit_heads VALUES (p_merchant, 0, sha256('')) ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM audit_heads WHERE merchant_id = p_merchant FOR UPDATE;
  END IF;
  WITH kept AS (
    INSERT INTO audit_personal (merchant_id, seq, field, value, salt)
    SELECT p_merchant, head.seq + 1, key, value, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
    FROM jsonb_each_text(p_personal) WHERE value IS NOT NULL
    -- Left over where somebody cut a tail off: that is for the verifier to find, the trail goes on.
    ON CONFLICT (merchant_id, seq, field) DO UPDATE SET value = excluded.value, salt = excluded.salt RETURNING field, value, salt)
  SELECT coalesce(jsonb_object_agg(field, encode(sha256(salt || convert_to(field || '=' || value, 'UTF8')), 'hex')), '{}') INTO v_commitments FROM kept;
  v_at := clock_timestamp();
  v_body := jsonb_build_object('merchant', p_merchant, 'seq', head.seq + 1, 'at', to_char(v_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'actor', p_actor, 'action', p_action, 'subject', p_subject, 'detail', p_detail, 'personal', v_commitments)::text;
  v_hash := sha256(head.hash || convert_to(v_body, 'UTF8'));
  INSERT INTO audit_entries (merchant_id, seq, body, prev_hash, hash, at) VALUES (p_merchant, head.seq + 1, v_body, head.hash, v_hash, v_at);
  UPDATE audit_heads SET seq = head.seq + 1, hash = v_hash WHERE merchant_id = p_merchant;
  RETURN head.seq + 1;
END $$;

-- Erasing is the only way a personal value goes, and it leaves an entry: no role may delete one by itself. `p_whose` is an
-- actor as entries name it; NULL means everybody's. Returns how many values went.
CREATE FUNCTION audit_erase(p_merchant UUID, p_actor TEXT, p_whose TEXT, p_before TIMESTAMPTZ, p_detail JSONB, p_personal JSONB)
RETURNS BIGINT LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_values BIGINT;
BEGIN
  IF p_merchant::text IS DISTINCT FROM current_setting('app.merchant_id', true) THEN
    RAISE EXCEPTION 'the audit chain of another merchant' USING ERRCODE = '42501';
  END IF;
  DELETE FROM audit_personal p USING audit_entries e
  WHERE p.merchant_id = p_merchant AND e.merchant_id = p_merchant AND e.seq = p.seq AND e.at < p_before AND (p_whose IS NULL OR e.actor = p_whose);
  GET DIAGNOSTICS v_values = ROW_COUNT;
  IF v_values > 0 THEN
    PERFORM audit_append(p_merchant, p_actor, 'audit.erased', coalesce(p_whose, 'audit:chain'), p_detail || jsonb_build_object('values', v_values), p_personal);
  END IF;
  RETURN v_values;
END $$;

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['audit_personal', 'audit_checkpoints', 'audit_checks'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION audit_append(UUID, TEXT, TEXT, TEXT, JSONB, JSONB), audit_erase(UUID, TEXT, TEXT, TIMESTAMPTZ, JSONB, JSONB) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_append(UUID, TEXT, TEXT, TEXT, JSONB, JSONB), audit_erase(UUID, TEXT, TEXT, TIMESTAMPTZ, JSONB, JSONB) TO dashboard_web, dashboard_worker;
REVOKE INSERT ON "audit_entries", "audit_heads" FROM dashboard_web, dashboard_worker;
REVOKE UPDATE ON "audit_heads" FROM dashboard_web, dashboard_worker;
-- Only the worker looks at the whole chain and signs what it saw.
GRANT INSERT ON "audit_checkpoints" TO dashboard_worker;
GRANT INSERT, UPDATE ON "audit_checks" TO dashboard_worker;
