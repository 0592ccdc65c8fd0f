-- A person has seen that a movement was rejected, failed or returned: the home page no longer lists it. These outcomes are
-- final, so the mark is never taken back.
ALTER TABLE "movements"
  ADD COLUMN "outcome_seen_by" UUID,
  ADD COLUMN "outcome_seen_at" TIMESTAMPTZ(6),
  ADD CONSTRAINT "movements_outcome_seen" CHECK ((outcome_seen_by IS NULL) = (outcome_seen_at IS NULL));

-- AddForeignKey
ALTER TABLE "movements" ADD CONSTRAINT "movements_outcome_seen_by_fkey" FOREIGN KEY ("outcome_seen_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Few rows: what nobody has seen yet.
CREATE INDEX "movements_outcome_unseen" ON "movements" ("merchant_id", "created_at")
  WHERE outcome_seen_at IS NULL AND (state IN ('REJECTED', 'FAILED') OR refund = 'CONFIRMED');
