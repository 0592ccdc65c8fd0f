-- The steps of payments no longer stand in line for the lock of the audit chain: their entries are committed with the step in a table
-- beside the chain, and linked in the order of their ids a moment later. Whoever needs the whole chain links what waits first.

-- CreateTable
CREATE TABLE "audit_queue" (
    "merchant_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "detail" JSONB NOT NULL,
    "personal" JSONB NOT NULL,

    CONSTRAINT "audit_queue_pkey" PRIMARY KEY ("merchant_id","id")
);

CREATE FUNCTION audit_own_merchant(p_merchant UUID) RETURNS VOID LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF p_merchant::text IS DISTINCT FROM current_setting('app.merchant_id', true) THEN
    RAISE EXCEPTION 'the audit chain of another merchant' USING ERRCODE = '42501';
  END IF;
END $$;

-- The head of the chain, locked until the commit: who holds it is the only one that links.
CREATE FUNCTION audit_lock_head(p_merchant UUID) RETURNS audit_heads LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  head audit_heads%ROWTYPE;
BEGIN
  SELECT * INTO head FROM audit_heads WHERE merchant_id = p_merchant FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO audit_heads VALUES (p_merchant, 0, sha256('')) ON CONFLICT DO NOTHING;
    SELECT * INTO head FROM audit_heads WHERE merchant_id = p_merchant FOR UPDATE;
  END IF;
  RETURN head;
END $$;

-- One link after `head`, as "audit_evidence" has made it: gives the head after it, which the caller stores.
CREATE FUNCTION audit_put(head audit_heads, p_at TIMESTAMPTZ, p_actor TEXT, p_action TEXT, p_subject TEXT, p_detail JSONB, p_personal JSONB)
RETURNS audit_heads LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  v_commitments JSONB := '{}';
  v_body TEXT;
  v_hash BYTEA;
BEGIN
  IF p_personal <> '{}' THEN
    WITH kept AS (
      INSERT INTO audit_personal (merchant_id, seq, field, value, salt)
      SELECT head.merchant_id, head.seq + 1, key, value, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
      FROM jsonb_each_text(p_personal) WHERE value IS NOT NULL
      -- Left over where somebody cut a tail off: that is for the verifier to find, the trail goes on.
      ON CONFLICT (merchant_id, seq, field) DO UPDATE SET value = excluded.value, salt = excluded.salt RETURNING field, value, salt)
    SELECT coalesce(jsonb_object_agg(field, encode(sha256(salt || convert_to(field || '=' || value, 'UTF8')), 'hex')), '{}')
    INTO v_commitments FROM kept;
  END IF;
  v_body := jsonb_build_object('merchant', head.merchant_id, 'seq', head.seq + 1,
    'at', to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'actor', p_actor, 'action', p_action, 'subject', p_subject, 'detail', p_detail, 'personal', v_commitments)::text;
  v_hash := sha256(head.hash || convert_to(v_body, 'UTF8'));
  INSERT INTO audit_entries (merchant_id, seq, body, prev_hash, hash, at)
  VALUES (head.merchant_id, head.seq + 1, v_body, head.hash, v_hash, p_at);
  head.seq := head.seq + 1;
  head.hash := v_hash;
  RETURN head;
END $$;

-- Queues one entry: it is committed with the caller's transaction, takes no lock of the chain, and wakes the workers that link.
CREATE FUNCTION audit_enqueue(p_merchant UUID, p_actor TEXT, p_action TEXT, p_subject TEXT, p_detail JSONB, p_personal JSONB)
RETURNS VOID LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM audit_own_merchant(p_merchant);
  INSERT INTO audit_queue (merchant_id, at, actor, action, subject, detail, personal)
  VALUES (p_merchant, clock_timestamp(), p_actor, p_action, p_subject, p_detail, p_personal);
  PERFORM pg_notify('due', 'audit');
END $$;

-- Links what is queued and committed after `head`, in the order of the queue, at most `p_most` entries. The caller holds the head's lock.
CREATE FUNCTION audit_drain(head audit_heads, p_most INTEGER) RETURNS audit_heads LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  one audit_queue%ROWTYPE;
BEGIN
  FOR one IN
    WITH taken AS (
      DELETE FROM audit_queue WHERE merchant_id = head.merchant_id
        AND id IN (SELECT id FROM audit_queue WHERE merchant_id = head.merchant_id ORDER BY id LIMIT p_most)
      RETURNING *)
    SELECT * FROM taken ORDER BY id
  LOOP
    head := audit_put(head, one.at, one.actor, one.action, one.subject, one.detail, one.personal);
  END LOOP;
  RETURN head;
END $$;

-- Links at most `p_most` queued entries and gives their number. A caller that finds another one at work waits for it: when fewer than
-- `p_most` were linked, what the caller saw committed is in the chain.
CREATE FUNCTION audit_link(p_merchant UUID, p_most INTEGER) RETURNS BIGINT LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  head audit_heads%ROWTYPE;
  before BIGINT;
BEGIN
  PERFORM audit_own_merchant(p_merchant);
  IF NOT EXISTS (SELECT FROM audit_queue WHERE merchant_id = p_merchant) THEN
    RETURN 0;
  END IF;
  head := audit_lock_head(p_merchant);
  before := head.seq;
  head := audit_drain(head, p_most);
  UPDATE audit_heads SET seq = head.seq, hash = head.hash WHERE merchant_id = p_merchant;
  RETURN head.seq - before;
END $$;

-- Links one entry at once, after what is queued when it has the lock (a thousand entries at most). The former version appends with it, too.
CREATE OR REPLACE FUNCTION audit_append(p_merchant UUID, p_actor TEXT, p_action TEXT, p_subject TEXT, p_detail JSONB, p_personal JSONB DEFAULT '{}')
RETURNS BIGINT LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  head audit_heads%ROWTYPE;
BEGIN
  PERFORM audit_own_merchant(p_merchant);
  head := audit_drain(audit_lock_head(p_merchant), 1000);
  head := audit_put(head, clock_timestamp(), p_actor, p_action, p_subject, p_detail, p_personal);
  UPDATE audit_heads SET seq = head.seq, hash = head.hash WHERE merchant_id = p_merchant;
  RETURN head.seq;
END $$;

ALTER TABLE "audit_queue" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "audit_queue" TO dashboard_web, dashboard_worker
  USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "audit_queue" TO dashboard_web, dashboard_worker;
REVOKE EXECUTE ON FUNCTION audit_own_merchant(UUID), audit_lock_head(UUID),
  audit_put(audit_heads, TIMESTAMPTZ, TEXT, TEXT, TEXT, JSONB, JSONB),
  audit_drain(audit_heads, INTEGER), audit_enqueue(UUID, TEXT, TEXT, TEXT, JSONB, JSONB), audit_link(UUID, INTEGER) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_enqueue(UUID, TEXT, TEXT, TEXT, JSONB, JSONB), audit_link(UUID, INTEGER) TO dashboard_web, dashboard_worker;
