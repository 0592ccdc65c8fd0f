-- When the first request of a movement left that may have been executed without a clear answer. "Unknown for 24 hours" and the life of
-- a resend count from here: a payment may have waited for days before its first send.
ALTER TABLE "movements" ADD COLUMN "unclear_since" TIMESTAMPTZ(6);

-- What Prisma has no words for ------------------------------------------------------------------------------------

-- Rows from before: the claim of the first send that became unclear, or what is known instead of it.
UPDATE "movements" m SET unclear_since = coalesce(
  (SELECT max(c.at) FROM "evidence" c WHERE c.movement_id = m.id AND c.kind = 'claimed'
    AND c.at <= (SELECT min(u.at) FROM "evidence" u WHERE u.movement_id = m.id AND u.state_after = 'UNKNOWN')),
  (SELECT min(u.at) FROM "evidence" u WHERE u.movement_id = m.id AND u.state_after = 'UNKNOWN'),
  m.last_send_at, m.state_since)
WHERE m.ever_ambiguous;

ALTER TABLE "movements" ADD CONSTRAINT "movements_unclear_since" CHECK (ever_ambiguous = (unclear_since IS NOT NULL));

-- A first moment does not move.
CREATE FUNCTION movements_unclear_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.unclear_since IS NOT NULL AND NEW.unclear_since IS DISTINCT FROM OLD.unclear_since THEN
    RAISE EXCEPTION 'what was learned about a movement is never unlearned' USING ERRCODE = 'MV005';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER movements_unclear_once BEFORE UPDATE OF "unclear_since" ON "movements" FOR EACH ROW EXECUTE FUNCTION movements_unclear_once();
