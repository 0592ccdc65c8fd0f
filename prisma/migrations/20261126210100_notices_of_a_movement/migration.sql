-- The page of a movement counts the webhooks about it: without this it read all of them.
CREATE INDEX CONCURRENTLY "notices_of_movement" ON "notices"("movement_id") WHERE movement_id IS NOT NULL;
