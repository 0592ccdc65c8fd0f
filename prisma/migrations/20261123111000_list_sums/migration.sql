-- The lists add paid, returned, pending and unknown amounts apart: the index of the tabs holds what tells them apart, so that a sum
-- still reads no row.
DROP INDEX "movements_merchant_id_kind_bucket_created_at_id_idx";
CREATE INDEX "movements_merchant_id_kind_bucket_created_at_id_idx" ON "movements" ("merchant_id", "kind", "bucket", "created_at" DESC, "id")
  INCLUDE ("wallet", "currency", "amount_minor", "state", "refund");
