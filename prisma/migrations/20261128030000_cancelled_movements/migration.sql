-- Notifications look for what was sent back every few seconds: without this they read every movement of their merchant.
CREATE INDEX CONCURRENTLY "movements_cancelled" ON "movements"("merchant_id", "ended_at") WHERE state = 'CANCELLED';
