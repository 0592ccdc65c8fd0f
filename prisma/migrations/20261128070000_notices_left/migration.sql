-- Webhooks that are stored and not handled yet are looked for every five seconds.
CREATE INDEX CONCURRENTLY "notices_left" ON "notices"("merchant_id", "id") WHERE handled_at IS NULL;
