-- Two indexes answered the same question, and every claim wrote to both. The one that holds only what will be looked at stays
-- ("movements_due"): it is a partial one, which the schema file has no word for.
DROP INDEX "movements_merchant_id_next_at_idx";

-- Receipts that are still to be fetched; those at hand have no next try.
CREATE INDEX "receipts_due" ON "receipts" ("merchant_id", "next_at") WHERE next_at IS NOT NULL;
