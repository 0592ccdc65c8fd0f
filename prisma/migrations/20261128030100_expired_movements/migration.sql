-- The same for payments that nobody approved in time.
CREATE INDEX CONCURRENTLY "movements_expired" ON "movements"("merchant_id", "state_since") WHERE state = 'EXPIRED';
