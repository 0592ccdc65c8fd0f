-- A person has seen why a movement asks for attention. The flag stays, with every lock that hangs on it; it only no longer asks.
ALTER TABLE "movements"
  ADD COLUMN "attention_seen_by" UUID,
  ADD COLUMN "attention_seen_at" TIMESTAMPTZ(6),
  ADD COLUMN "attention_seen_reason" TEXT;

-- AddForeignKey
ALTER TABLE "movements" ADD CONSTRAINT "movements_attention_seen_by_fkey" FOREIGN KEY ("attention_seen_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The tabs of the list, as in "payout_list", but for a flag that somebody has seen.
DROP INDEX "movements_merchant_id_rail_bucket_created_at_id_idx";
ALTER TABLE "movements" DROP COLUMN "bucket";
ALTER TABLE "movements" ADD COLUMN "bucket" TEXT COLLATE "C" GENERATED ALWAYS AS (
  CASE
    WHEN (attention IS NOT NULL AND attention_seen_at IS NULL) OR refund = 'REPORTED' OR state IN ('AWAITING_APPROVAL', 'UNKNOWN', 'MANUAL_REVIEW') THEN 'attention'
    WHEN state IN ('DRAFT', 'APPROVED', 'SUBMITTING', 'PENDING') THEN 'progress'
    WHEN state = 'COMPLETED' AND refund = 'NONE' THEN 'completed'
    ELSE 'failed'
  END) STORED;
CREATE INDEX "movements_merchant_id_rail_bucket_created_at_id_idx" ON "movements" ("merchant_id", "rail", "bucket", "created_at" DESC, "id")
  INCLUDE ("wallet", "currency", "amount_minor");

-- What is found out later has been seen by nobody.
CREATE FUNCTION movements_attention() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.attention IS DISTINCT FROM OLD.attention THEN
    NEW.attention_seen_by := NULL;
    NEW.attention_seen_at := NULL;
    NEW.attention_seen_reason := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER movements_attention BEFORE UPDATE ON "movements" FOR EACH ROW EXECUTE FUNCTION movements_attention();
