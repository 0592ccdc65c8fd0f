-- The same for payments that an owner released alone.
CREATE INDEX CONCURRENTLY "approvals_overriding" ON "approvals"("merchant_id", "created_at") WHERE override_reason IS NOT NULL;
